import type { ServiceName } from '@parley/contracts/services';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { createStandings, type Standings } from '../server/standing.ts';
import { connect, type Peer } from '../client/connect.ts';
import { openTls, type RpcTls } from './tls.ts';

/** By what a service and its peers know each other, and whether they do. */
export interface Trust extends AsyncDisposable {
  tls: RpcTls | undefined;
  standings: Standings;
  /** Connects to a peer, until the trust is disposed of. */
  connect(peer: ServiceName, address: string): Peer;
}

interface TrustOptions {
  tls: RpcTlsFiles | undefined;
  /** Returns the newest tokens. */
  token(): string;
  logger: Logger;
}

/** Opens the TLS of the service `name`, and watches what its peers say. Throws as `openTls` does. */
export function openTrust(name: ServiceName, { tls: files, token, logger }: TrustOptions): Trust {
  const tls = openTls(files, name, logger);
  const standings = createStandings(logger);
  const peers = new DisposableStack();
  return {
    tls,
    standings,
    connect: (peer, address) =>
      peers.use(connect(address, { token, caller: name, tls: tls?.to(peer), standings })),
    [Symbol.asyncDispose]: async () => {
      peers[Symbol.dispose]();
      standings[Symbol.dispose]();
      await tls?.[Symbol.asyncDispose]();
    },
  };
}
