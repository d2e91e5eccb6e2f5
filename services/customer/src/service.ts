import { auditService } from '@parley/audit/service';
import { keepAuditLog } from '@parley/audit/table';
import { CustomerAdminServiceService, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { keepEventLog } from '@parley/events/log';
import { eventLogHandlers, eventLogService } from '@parley/events/log-service';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { hashOldFences } from '@parley/postgres/fence';
import { purgeIdempotencyRecords } from '@parley/postgres/idempotency';
import { prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { keepReencrypted } from '@parley/postgres/re-encrypt';
import { createGrantVerifier, grantKeysCall } from '@parley/rpc/grants';
import { serve, service } from '@parley/rpc/serve';
import { openTrust } from '@parley/rpc/trust';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { repeat } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import { adminHandlers } from './erasure/admin-handlers.ts';
import type { Config } from './config.ts';
import { sealedColumns } from './erasure/erasure-key-store.ts';
import { customerHandlers } from './customers/handlers.ts';
import { migrations } from './migrations/index.ts';
import { removeNextPage } from './erasure/remove-page.ts';
import { requestRules } from './request-rules.ts';
import { sweepNextPage } from './retention/retention.ts';
import { createRunEnds } from './erasure/run-ends.ts';
import type { Tables } from './schema.ts';
import { createWorkspaceCheck } from './customers/workspaces.ts';

/**
 * Pages of anonymisations that a replica processes at once: two, so that one that fails slowly does not hold up the
 * others, and no more, so that the other services keep capacity for calls.
 */
export const pagesAtOnceMax = 2;

/** How often pages are looked for whose claim has ended. Calls wake the removal. */
const removalMs = 5_000;

export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const token = (): string => config.tokens.service;
  const trust = starting.use(openTrust('customer', { tls: config.rpcTls, token, logger }));
  const { db, isReady } = starting.use(openDatabase<Tables>({ url: () => config.databaseUrl, logger }));
  const { listen, tokens, databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const identity = trust.connect('identity', config.identityAddress).client(IdentityServiceService);
  const interactions = trust
    .connect('interaction', config.interactionAddress)
    .client(InteractionServiceService);
  const webhooks = trust.connect('webhook', config.webhookAddress).client(WebhookServiceService);
  const broker = starting.use(await openBroker({ url: () => config.natsUrl, logger }));
  const relay = starting.use(startRelay({ source: 'customer', db, broker, logger }));
  starting.use(await keepEventLog(db, config.eventRetentionDays, logger));
  starting.use(await startMaintenance(db, config, logger));
  const checkWorkspace = createWorkspaceCheck(identity);
  const runEnds = createRunEnds();
  const erasureKeys = { db, keys: config.keys, logger };
  const removal = { ...erasureKeys, interactions, webhooks, runEnds, relay };
  const removing = Array.from({ length: pagesAtOnceMax }, () =>
    starting.use(repeat('remove personal data', removalMs, logger, () => removeNextPage(removal))),
  );
  const wakeRemoval = (): void => {
    for (const one of removing) one.wake();
  };
  const sweeping = starting.use(
    repeat('delete outdated interactions', 10_000, logger, () => sweepNextPage(removal)),
  );
  const handlers = customerHandlers({
    db,
    checkWorkspace,
    interactions,
    runEnds,
    wakeRemoval,
    wakeSweep: sweeping.wake,
  });
  const grants = createGrantVerifier(undefined, () => identity.listGrantKeys({}, grantKeysCall));
  const services = [
    service(CustomerServiceService, handlers, { rules: requestRules }),
    service(CustomerAdminServiceService, adminHandlers({ ...removal, wakeRemoval }), { rules: requestRules }),
    eventLogService('customer', eventLogHandlers(db, config.eventRetentionDays)),
    auditService(db, config.auditRetentionDays),
  ];
  const { address } = starting.use(
    await serve({ listen, services, tokens, ...trust, grants, logger, isReady }),
  );
  const stack = starting.move();
  return { address, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Starts what ends by age, and keeps the secrets under the current key. */
async function startMaintenance(
  db: Kysely<Tables>,
  { keys, auditRetentionDays }: Config,
  logger: Logger,
): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  stack.use(await keepAuditLog(db, auditRetentionDays, logger));
  stack.use(keepReencrypted(db, keys, sealedColumns, logger));
  stack.use(repeat('purge idempotency records', 60_000, logger, () => purgeIdempotencyRecords(db)));
  stack.use(repeat('hash fences', 60_000, logger, () => hashOldFences(db)));
  return stack;
}
