import type { RpcTlsFiles } from '@parley/runtime/config/config';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { createStandings, type Standings } from '../server/standing.ts';
import { openTls, type PeerTls, type RpcTls } from './tls.ts';

/** By what a service and its peers know each other, and whether they do. */
export interface Trust extends AsyncDisposable {
  tls: RpcTls | undefined;
  standings: Standings;
  /** Returns these options of `connect` for a peer. */
  to(service: string): { tls: PeerTls | undefined; standings: Standings };
}

/** Opens the TLS of the service `name`, and watches what its peers say. Throws as `openTls` does. */
export function openTrust(files: RpcTlsFiles | undefined, name: string, logger: Logger): Trust {
  const tls = openTls(files, name, logger);
  const standings = createStandings(logger);
  return {
    tls,
    standings,
    to: (service) => ({ tls: tls?.to(service), standings }),
    [Symbol.asyncDispose]: async () => {
      standings[Symbol.dispose]();
      await tls?.[Symbol.asyncDispose]();
    },
  };
}
