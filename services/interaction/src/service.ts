import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { interactionCompleted } from '@parley/contracts/events';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { startReconciliation } from '@parley/events/reconciliation';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { purgeIdempotencyRecords } from '@parley/postgres/idempotency';
import { prepareSchema } from '@parley/postgres/migrate';
import { openDatabase } from '@parley/postgres/open';
import { connect } from '@parley/rpc/connect';
import { serve, service } from '@parley/rpc/serve';
import { createComputeQueue } from '@parley/runtime/compute-queue';
import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import { repeat } from '@parley/runtime/schedule';
import { v7 as uuidv7 } from 'uuid';
import { botHandlers } from './bot-handlers.ts';
import { ModelWorker } from './model-worker.ts';
import type { Config } from './config.ts';
import { conversationHandlers } from './conversation-handlers.ts';
import { findChanged } from './conversation-store.ts';
import { createDefinitionCache } from './definitions.ts';
import { expireBatch } from './expiry-store.ts';
import { interactionHandlers } from './interaction-handlers.ts';
import { startMetrics } from './metrics.ts';
import { migrations } from './migrations/index.ts';
import { requestRules as rules } from './request-rules.ts';
import { Model } from './model.ts';
import type { Tables } from './schema.ts';
import { Watch } from './watch.ts';

/** Starts the interaction service. It works without NATS and the webhook service: events wait in the outbox. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const { db, isReady } = starting.use(openDatabase<Tables>({ url: config.databaseUrl, logger }));
  const { databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const token = config.tokens.service;
  const customers = starting.use(connect(config.customerAddress, { token })).client(CustomerServiceService);
  const webhooks = starting.use(connect(config.webhookAddress, { token })).client(WebhookServiceService);
  const broker = starting.use(await openBroker({ url: config.natsUrl, logger }));

  starting.use(startMetrics(db));
  const relay = starting.use(startRelay({ db, broker, logger }));
  const findMissing = async (eventIds: string[]): Promise<string[]> =>
    (await webhooks.listMissingEvents({ eventIds }, { requestId: uuidv7() })).eventIds;
  const { subject } = interactionCompleted;
  starting.use(startReconciliation({ db, broker, logger, subject, findMissing }));
  starting.use(repeat('expire interactions', 5_000, logger, () => expireBatch(db)));
  starting.use(repeat('purge idempotency records', 60_000, logger, () => purgeIdempotencyRecords(db)));

  const { linkKeys } = config;
  const compute = createComputeQueue('turn');
  const definitions = createDefinitionCache(db, compute);
  const watch = new Watch({ findChanged: (known) => findChanged(db, known), broadcasts: broker, logger });
  const model = config.model && new Model(config.model, logger);
  const timeoutMs = config.modelTimeoutMs;
  const modelWorker = starting.use(
    new ModelWorker({ db, definitions, compute, model, timeoutMs, relay, watch, logger }),
  );
  const hasModel = model !== undefined;
  const deps = { db, customers, definitions, compute, linkKeys, relay, watch, hasModel, modelWorker };
  const services = [
    service(BotServiceService, botHandlers(deps), { rules }),
    service(InteractionServiceService, interactionHandlers(deps), { rules }),
    service(ConversationServiceService, conversationHandlers(deps), { rules }),
  ];
  const { address } = starting.use(
    await serve({ listen: config.listen, services, tokens: config.tokens, logger, isReady }),
  );
  // Disposed of first: it ends the waiting calls, so the server can drain.
  starting.use(watch);
  const stack = starting.move();
  return { address, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
