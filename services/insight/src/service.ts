import { keepAuditLog } from '@parley/audit/table';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { FactsServiceService } from '@parley/contracts/interaction/v1/facts';
import { startConsumer } from '@parley/events/consumer';
import { openBroker } from '@parley/events/nats';
import { prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createGrantVerifier, grantKeysCall } from '@parley/rpc/grants';
import { serve, service } from '@parley/rpc/serve';
import { openTrust, type Trust } from '@parley/rpc/trust';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import type { Config } from './config.ts';
import { countEvents, types } from './counting/facts.ts';
import { durable } from './generations/generation-store.ts';
import { watchFigures } from './metrics.ts';
import { migrations } from './migrations/index.ts';
import { readingHandlers, requestRules } from './reading/handlers.ts';
import { rebuildHandlers } from './generations/handlers.ts';
import { startRounds } from './rounds/serve.ts';
import type { Tables } from './schema.ts';

/** It counts what the interaction service has, and asks it about bots when it is read. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const trust = starting.use(openTrust('insight', config, logger));
  const { db, isReady } = starting.use(
    openDatabase<Tables>({ url: () => config.databaseUrl, logger, plansOnce: true }),
  );
  const { listen, tokens, databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const { identity, interaction } = openPeers(config, trust);
  const facts = interaction.client(FactsServiceService);
  const log = interaction.client(EventLogServiceService);
  const broker = starting.use(await openBroker({ url: () => config.natsUrl, logger }));
  starting.use(watchFigures(db));
  starting.use(await keepAuditLog(db, config.auditRetentionDays, logger));
  starting.use(
    startConsumer({
      broker,
      logger,
      db,
      durable,
      types,
      sources: [{ name: 'interaction', log }],
      from: 'beginning',
      handle: countEvents({ db, facts, logger }),
      // An interaction that changes several times meanwhile is counted once.
      gatherMs: 500,
    }),
  );
  const rounds = starting.use(startRounds({ db, facts, log, logger }));

  const grants = createGrantVerifier(undefined, () => identity.listGrantKeys({}, grantKeysCall));
  const bots = interaction.client(BotServiceService);
  const handlers = {
    ...readingHandlers({ db, bots, logger }),
    ...rebuildHandlers({ db, onRebuild: rounds.wakeScan }),
  };
  const services = [service(InsightServiceService, handlers, { rules: requestRules })];
  const { address } = starting.use(
    await serve({ listen, services, tokens, ...trust, grants, logger, isReady }),
  );
  const stack = starting.move();
  return { address, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function openPeers(config: Config, trust: Trust) {
  return {
    identity: trust.connect('identity', config.identityAddress).client(IdentityServiceService),
    interaction: trust.connect('interaction', config.interactionAddress),
  };
}
