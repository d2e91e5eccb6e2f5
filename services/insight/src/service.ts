import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { openBroker } from '@parley/events/nats';
import { prepareSchema } from '@parley/postgres/migrate';
import { openDatabase } from '@parley/postgres/open';
import { connect } from '@parley/rpc/connect';
import { createGrantVerifier, grantKeysCall } from '@parley/rpc/grants';
import { serve, service } from '@parley/rpc/serve';
import { openTls } from '@parley/rpc/tls';
import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import type { Config } from './config.ts';
import { insightHandlers } from './handlers.ts';
import { migrations } from './migrations/index.ts';
import { requestRules } from './request-rules.ts';

/** Starts the insight service. It answers from what it has counted while the interaction service is unavailable. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const tls = starting.use(openTls(config.rpcTls, logger));
  const { db, isReady } = starting.use(openDatabase<object>({ url: () => config.databaseUrl, logger }));
  const { databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const token = (): string => config.tokens.service;
  const optionsFor = (peer: string) => ({ token, caller: 'insight', tls: tls?.to(peer) }) as const;
  const identity = starting
    .use(connect(config.identityAddress, optionsFor('identity')))
    .client(IdentityServiceService);
  starting.use(await openBroker({ url: () => config.natsUrl, logger }));
  const grants = createGrantVerifier(undefined, () => identity.listGrantKeys({}, grantKeysCall));
  const services = [service(InsightServiceService, insightHandlers({ db }), { rules: requestRules })];
  const { address } = starting.use(
    await serve({ listen: config.listen, services, tokens: config.tokens, tls, grants, logger, isReady }),
  );
  const stack = starting.move();
  return { address, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
