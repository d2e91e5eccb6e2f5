import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { interactionCompleted } from '@parley/contracts/events';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import {
  InteractionServiceService,
  type RedactCustomerRequest,
} from '@parley/contracts/interaction/v1/interaction';
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
import { FairQueue } from '@parley/runtime/fair-queue';
import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import { repeat } from '@parley/runtime/schedule';
import { v7 as uuidv7 } from 'uuid';
import { createDefinitionCache } from './bots/definitions.ts';
import { botHandlers } from './bots/handlers.ts';
import type { Config } from './config.ts';
import { conversationHandlers } from './conversations/handlers.ts';
import { findChanged } from './conversations/store.ts';
import { Watch } from './conversations/watch.ts';
import { expireBatch } from './interactions/expiry-store.ts';
import { interactionHandlers } from './interactions/handlers.ts';
import { startMetrics } from './metrics.ts';
import { migrations } from './migrations/index.ts';
import { Model } from './model/model.ts';
import { ModelWorker } from './model/worker.ts';
import { redactCustomer } from './removal/redact-customer.ts';
import { requestRules as rules } from './request-rules.ts';
import type { Tables } from './schema.ts';

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
  const largeMessages = new FairQueue({
    name: 'large-message',
    inFlightMax: Number.POSITIVE_INFINITY,
    inFlightPerTenantMax: 1,
  });
  const definitions = createDefinitionCache(db, compute);
  const watch = new Watch({ findChanged: (known) => findChanged(db, known), broadcasts: broker, logger });
  const model = config.model && new Model(config.model, logger);
  const timeoutMs = config.modelTimeoutMs;
  const modelWorker = starting.use(
    new ModelWorker({ db, definitions, compute, model, timeoutMs, relay, watch, logger }),
  );
  const hasModel = model !== undefined;
  const queues = { compute, largeMessages };
  const deps = { db, customers, definitions, ...queues, linkKeys, relay, watch, hasModel, modelWorker };
  const interactions = {
    ...interactionHandlers(deps),
    redactCustomer: (request: RedactCustomerRequest) => redactCustomer(deps, request),
  };
  const services = [
    service(BotServiceService, botHandlers(deps), { rules }),
    service(InteractionServiceService, interactions, { rules }),
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
