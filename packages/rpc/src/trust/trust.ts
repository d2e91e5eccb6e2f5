import type { ServiceName } from '@parley/contracts/services';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { RpcTokens } from '../server/context.ts';
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

interface TrustConfig {
  rpcTls: RpcTlsFiles | undefined;
  /** The newest ones. */
  tokens: Pick<RpcTokens, 'service'>;
}

/** Opens the TLS of the service `name`, and watches what its peers say. Throws as `openTls` does. */
export function openTrust(name: ServiceName, config: TrustConfig, logger: Logger): Trust {
  const tls = openTls(config.rpcTls, name, logger);
  const token = (): string => config.tokens.service;
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
