import { auditService } from '@parley/audit/service';
import { keepAuditLog } from '@parley/audit/table';
import { interactionDeleted, isRaisedBy } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { DeliveryServiceService } from '@parley/contracts/webhook/v1/delivery';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { startConsumer } from '@parley/events/consumer';
import { inboxOf } from '@parley/events/inbox';
import { keepEventLog } from '@parley/events/log';
import { eventLogHandlers, eventLogService } from '@parley/events/log-service';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { hashOldFences } from '@parley/postgres/fence';
import { purgeIdempotencyRecords } from '@parley/postgres/idempotency';
import { prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { maintainPartitions, reportMissingRights } from '@parley/postgres/schema/partitions';
import { keepReencrypted } from '@parley/postgres/re-encrypt';
import type { Peer } from '@parley/rpc/connect';
import { createGrantVerifier, grantKeysCall } from '@parley/rpc/grants';
import { serve, service } from '@parley/rpc/serve';
import { openTrust, type Trust } from '@parley/rpc/trust';
import { createComputeQueue } from '@parley/runtime/scheduling/compute-queue';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Config } from './config.ts';
import { deliveryHandlers } from './controls/delivery-handlers.ts';
import { recoverPage } from './controls/recovery-store.ts';
import { partitionDaysKept, partitioned } from './deliveries/partitions.ts';
import { Deliverer } from './dispatch/deliver.ts';
import { fanOut, wantedBy } from './intake/fan-out.ts';
import { durable, kinds } from './intake/kinds.ts';
import { withDeletions } from './intake/remove-events.ts';
import { purgeByAge, purgeEvents } from './log/retention-store.ts';
import { startMetrics } from './metrics.ts';
import { migrations } from './migrations/index.ts';
import { deliveryRules, webhookRules } from './request-rules.ts';
import type { Db, Tables } from './schema.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { optionsHandlers } from './webhooks/options-handlers.ts';
import { sealedColumns } from './webhooks/store.ts';

const types = [...kinds.map(({ type }) => type), interactionDeleted];
const subjects = types.map(({ subject }) => subject).filter((subject) => isRaisedBy('interaction', subject));

/**
 * Starts the webhook service. It serves and delivers without the broker and the interaction service: events wait. It
 * reads their log from the beginning, because a webhook may be older than the log's first answer.
 */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const trust = starting.use(openTrust('webhook', config, logger));
  const { db, isReady } = starting.use(
    openDatabase<Tables>({ url: () => config.databaseUrl, logger, plansOnce: true }),
  );
  const { listen, tokens, databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);
  await reportMissingRights(db, partitioned, logger);
  starting.use(await startMaintenance(db, config, logger));

  const broker = starting.use(await openBroker({ url: () => config.natsUrl, logger }));
  startMetrics();
  const delivering = starting.use(new Deliverer({ db, logger, broker, ...config }));
  const { identity, ...sources } = openPeers(config, trust);
  const interactions = sources.interaction.client(InteractionServiceService);
  const onDeliveries = (webhookIds: readonly string[]): void => delivering.notify(webhookIds);
  starting.use(startRelay({ source: 'webhook', db, broker, logger }));
  starting.use(await keepEventLog(db, config.eventRetentionDays, logger));
  const log = eventLogHandlers(db, config.eventRetentionDays);
  const compute = createComputeQueue('filter');
  const { handle, handlePostponed } = fanOut({ db, logger, compute, interactions, onDeliveries });
  starting.use(
    startConsumer({
      broker,
      logger,
      db,
      durable,
      types,
      sources: [...sourcesOf(sources), { name: 'webhook', log }],
      from: 'beginning',
      handle: withDeletions({ db, onDeliveries }, handle),
      handlePostponed,
      wants: wantedBy(db),
    }),
  );

  const { wake: onRecovery } = starting.use(startRecovery(db, logger, onDeliveries));

  const reading = {
    inbox: inboxOf(db, durable),
    log: sources.interaction.client(EventLogServiceService),
    subjects,
  };
  const controls = { db, compute, interactions, reading, onDeliveries, onRecovery, ...config };
  const grants = createGrantVerifier(undefined, () => identity.listGrantKeys({}, grantKeysCall));
  const deliveries = { ...deliveryHandlers(controls), ...optionsHandlers(controls) };
  const services = [
    service(WebhookServiceService, webhookHandlers(controls), { rules: webhookRules }),
    service(DeliveryServiceService, deliveries, { rules: deliveryRules }),
    eventLogService('webhook', log),
    auditService(db, config.auditRetentionDays),
  ];
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
    customer: trust.connect('customer', config.customerAddress),
  };
}

/** Starts what keeps the tables small and the secrets under the current key. */
async function startMaintenance(db: Db, config: Config, logger: Logger): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  stack.use(await keepAuditLog(db, config.auditRetentionDays, logger));
  const partitions = (): Promise<void> => maintainPartitions(db, partitionDaysKept);
  stack.use(keepReencrypted(db, config.keys, sealedColumns, logger));
  stack.use(repeat('purge idempotency records', 60_000, logger, () => purgeIdempotencyRecords(db)));
  stack.use(repeat('hash fences', 60_000, logger, () => hashOldFences(db)));
  stack.use(repeat('maintain partitions', 60_000, logger, partitions));
  stack.use(repeat('purge events', 60_000, logger, () => purgeEvents(db, config)));
  stack.use(repeat('purge by age', 60_000, logger, () => purgeByAge(db, config)));
  return stack;
}

/** When the next page of a recovery is due. */
const recoveryPagesApartMs = 1_000;

/** Starts the recoveries of deliveries that the API has requested. */
function startRecovery(db: Db, logger: Logger, onDeliveries: (webhookIds: string[]) => void): Schedule {
  let activeUntilMs = 0;
  // The replica that gets the call is woken. The interval is for what a dead replica has left.
  return repeat('recover deliveries', 5_000, logger, async () => {
    const webhookId = await recoverPage(db);
    if (!webhookId) return performance.now() < activeUntilMs ? recoveryPagesApartMs : undefined;
    activeUntilMs = performance.now() + 5_000;
    onDeliveries([webhookId]);
    return true;
  });
}

function sourcesOf(peers: Record<string, Peer>) {
  return Object.entries(peers).map(([name, peer]) => ({ name, log: peer.client(EventLogServiceService) }));
}
