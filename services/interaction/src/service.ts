import { auditService } from '@parley/audit/service';
import { rememberShown } from '@parley/audit/shown';
import { keepAuditLog } from '@parley/audit/table';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import { FactsServiceService } from '@parley/contracts/interaction/v1/facts';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { keepEventLog } from '@parley/events/log';
import { eventLogHandlers, eventLogService } from '@parley/events/log-service';
import { type Broker, openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { keepStream } from '@parley/events/stream-upkeep';
import { hashOldFences } from '@parley/postgres/fence';
import { purgeIdempotencyRecords } from '@parley/postgres/idempotency';
import { prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createGrantSigner, createGrantVerifier, grantKeysCall } from '@parley/rpc/grants';
import { serve, service } from '@parley/rpc/serve';
import { openTrust, type Trust } from '@parley/rpc/trust';
import { createComputeQueue } from '@parley/runtime/scheduling/compute-queue';
import { FairQueue } from '@parley/runtime/scheduling/fair-queue';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { repeat, restAfter, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import { createDefinitionCache } from './bots/definitions.ts';
import { botHandlers } from './bots/handlers.ts';
import { purgePresences } from './bots/presence-store.ts';
import type { Config } from './config.ts';
import { contactHandlers } from './contacts/handlers.ts';
import { conversationHandlers } from './conversations/handlers.ts';
import { findChanged } from './conversations/store.ts';
import { Watch } from './conversations/watch.ts';
import { raiseDue } from './changing/availability-store.ts';
import { expireBatch } from './changing/expiry-store.ts';
import { factsHandlers, factsRules } from './facts/handlers.ts';
import { interactionHandlers } from './interaction-handlers.ts';
import { openLinkHandlers } from './open-links/handlers.ts';
import { keepDueIndex, keepStoppedIndex, keepTestIndex } from './changing/late-indexes.ts';
import { stallBatch } from './changing/stalled-store.ts';
import { countReminders, refusedOffers } from './metrics.ts';
import { migrations } from './migrations/index.ts';
import { Model } from './model/model.ts';
import { ModelWorker } from './model/worker.ts';
import { purgeDeleted, purgePastContacts } from './removal/deletion-store.ts';
import { removalHandlers } from './removal/handlers.ts';
import { openLinkRules, requestRules as rules } from './request-rules.ts';
import type { Tables } from './schema.ts';

/** It works without NATS: consumers read the event log. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const trust = starting.use(openTrust('interaction', config, logger));
  const { db, isReady } = starting.use(openDatabase<Tables>({ url: () => config.databaseUrl, logger }));
  const { listen, tokens, databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const { identity, customers } = openPeers(config, trust);
  const broker = await openStream(starting, config, logger);

  const relay = starting.use(startRelay({ source: 'interaction', db, broker, logger }));
  starting.use(await keepEventLog(db, config.eventRetentionDays, logger));
  starting.use(await keepAuditLog(db, config.auditRetentionDays, logger));
  starting.use(startSweeps(db, config, logger));

  const { linkKeys, landingUrl, modelTimeoutMs: timeoutMs } = config;
  const linkGrants = createGrantSigner(linkKeys);
  const compute = createComputeQueue('turn');
  const definitions = createDefinitionCache(db, compute);
  const watch = new Watch({ findChanged: (known) => findChanged(db, known), broadcasts: broker, logger });
  const model = config.model && new Model(config.model, logger);
  const modelWorker = starting.use(
    new ModelWorker({ db, definitions, compute, model, timeoutMs, relay, watch, logger }),
  );
  const deps = {
    db,
    customers,
    definitions,
    compute,
    largeMessages: createLargeMessageQueue(),
    shown: rememberShown(),
    linkKeys,
    linkGrants,
    landingUrl,
    relay,
    watch,
    hasModel: model !== undefined,
    modelWorker,
    raising: starting.use(startRaising(db, relay, logger)),
  };
  const interactions = { ...interactionHandlers(deps), ...contactHandlers(deps), ...removalHandlers(deps) };
  const grants = createGrantVerifier(linkGrants, () => identity.listGrantKeys({}, grantKeysCall));
  const services = [
    service(BotServiceService, botHandlers(deps), { rules }),
    service(InteractionServiceService, interactions, { rules }),
    service(ConversationServiceService, conversationHandlers(deps), { rules }),
    service(OpenLinkServiceService, openLinkHandlers(deps), { rules: openLinkRules }),
    service(FactsServiceService, factsHandlers({ ...deps, logger }), { rules: factsRules }),
    eventLogService('interaction', eventLogHandlers(db, config.eventRetentionDays)),
    auditService(db, config.auditRetentionDays),
  ];
  const serving = { listen, services, tokens, ...trust, grants, logger, isReady };
  const { address } = starting.use(await serve(serving));
  // Disposed of first: it ends the waiting calls, so the server can drain.
  starting.use(watch);
  return { address, [Symbol.asyncDispose]: disposeOf(starting) };
}

function disposeOf(starting: AsyncDisposableStack): () => Promise<void> {
  const stack = starting.move();
  return () => stack.disposeAsync();
}

function openPeers(config: Config, trust: Trust) {
  return {
    identity: trust.connect('identity', config.identityAddress).client(IdentityServiceService),
    customers: trust.connect('customer', config.customerAddress).client(CustomerServiceService),
  };
}

function createLargeMessageQueue(): FairQueue {
  return new FairQueue({
    name: 'large-message',
    inFlightMax: Number.POSITIVE_INFINITY,
    inFlightPerTenantMax: 1,
  });
}

/** Raises that interactions are available, and reminders: when they are due, and after a wake. */
function startRaising(db: Kysely<Tables>, relay: Pick<Schedule, 'wake'>, logger: Logger): Schedule {
  countReminders(0, 0);
  refusedOffers.add({}, 0);
  return repeat('raise what is due', 1_000, logger, (signal) =>
    restAfter(signal, async () => {
      const { raised, mayHaveMore } = await raiseDue(db);
      if (raised > 0) relay.wake();
      return mayHaveMore;
    }),
  );
}

/** Starts what happens by the clock, and the gauges. */
function startSweeps(db: Kysely<Tables>, config: Config, logger: Logger): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const url = config.migrationUrl ?? config.databaseUrl;
  for (const keep of [keepStoppedIndex, keepTestIndex, keepDueIndex]) stack.use(keep({ db, url, logger }));
  // As long as an event about a deleted interaction can arrive anywhere.
  const purge = () => purgeDeleted(db, config.eventRetentionDays);
  stack.use(repeat('purge notes of deletions', 60_000, logger, purge));
  // Each in every round: many past contacts must not keep the presences.
  const purgeByAge = async () => [await purgePastContacts(db), await purgePresences(db)].includes(true);
  stack.use(repeat('purge past contacts and presences', 60_000, logger, purgeByAge));
  stack.use(
    repeat('expire interactions', 5_000, logger, (signal) => restAfter(signal, () => expireBatch(db))),
  );
  stack.use(
    repeat('find stalled conversations', 5_000, logger, (signal) => restAfter(signal, () => stallBatch(db))),
  );
  stack.use(repeat('purge idempotency records', 60_000, logger, () => purgeIdempotencyRecords(db)));
  stack.use(repeat('hash fences', 60_000, logger, () => hashOldFences(db)));
  return stack;
}

/** Connects to NATS, where this service owns the stream of all events. */
async function openStream(starting: AsyncDisposableStack, config: Config, logger: Logger): Promise<Broker> {
  const { streamReplicas } = config;
  const broker = starting.use(await openBroker({ url: () => config.natsUrl, logger, streamReplicas }));
  starting.use(keepStream({ broker, replicas: streamReplicas, logger }));
  return broker;
}
