import { auditService } from '@parley/audit/service';
import { keepAuditLog } from '@parley/audit/table';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { keyLimits, portalLimits } from '@parley/contracts/limits';
import { openConnection } from '@parley/nats/connection';
import { prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { keepReencrypted } from '@parley/postgres/re-encrypt';
import { createGrantSigner, createGrantVerifier } from '@parley/rpc/grants';
import { between, customerId, resourceId, uuid } from '@parley/rpc/request-rules';
import { serve, service } from '@parley/rpc/serve';
import { openTls } from '@parley/rpc/tls';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { repeat } from '@parley/runtime/scheduling/schedule';
import { identityAdminHandlers } from './admin-handlers.ts';
import type { Config } from './config.ts';
import { identityHandlers } from './handlers.ts';
import { deleteExpiredLeases } from './leases/lease-store.ts';
import { createLeases } from './leases/leases.ts';
import { migrations } from './migrations/index.ts';
import { createProvider } from './people/provider.ts';
import { deleteOldSessions } from './people/session-store.ts';
import { deleteOldPortalLinks } from './portal/link-store.ts';
import type { Tables } from './schema.ts';
import { sealedColumns } from './workspaces/sdk-secret-store.ts';

/** Without NATS it works, but a rotation takes as long as a lease. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using starting = new AsyncDisposableStack();
  const tls = starting.use(openTls(config.rpcTls, 'identity', logger));
  const { db, isReady } = starting.use(openDatabase<Tables>({ url: () => config.databaseUrl, logger }));
  const { databaseUrl: url, migrationUrl, migrateOnStart } = config;
  await prepareSchema({ url, migrationUrl, migrateOnStart, logger }, migrations);

  const nats = starting.use(openConnection({ url: () => config.natsUrl, logger }));
  starting.use(repeat('delete expired leases', 10_000, logger, () => deleteExpiredLeases(db)));
  starting.use(repeat('delete old sessions', 600_000, logger, () => deleteOldSessions(db)));
  starting.use(repeat('delete old portal links', 600_000, logger, () => deleteOldPortalLinks(db)));

  starting.use(await keepAuditLog(db, config.auditRetentionDays, logger));
  const { peppers, encryptionKeys } = config;
  starting.use(keepReencrypted(db, encryptionKeys, sealedColumns, logger));
  const leases = createLeases(db, nats, logger);
  const grants = createGrantSigner(encryptionKeys);
  const provider = config.provider && createProvider(config.provider, logger);
  const dependencies = { db, peppers, encryptionKeys, leases, grants, provider, logger };
  const services = [
    service(IdentityServiceService, identityHandlers(dependencies), {
      rules: {
        id: resourceId,
        workspaceId: resourceId,
        memberId: resourceId,
        portalLinkId: resourceId,
        webhookIds: uuid,
        expiresInSeconds: between(1, portalLimits.expiresInSecondsMax),
        customerId,
        limit: between(1, keyLimits.pageSizeMax),
      },
    }),
    service(IdentityAdminServiceService, identityAdminHandlers({ db, peppers, leases }), {
      rules: { id: resourceId },
    }),
    auditService(db, config.auditRetentionDays),
  ];
  const { address } = starting.use(
    await serve({
      listen: config.listen,
      services,
      tokens: config.tokens,
      tls,
      grants: createGrantVerifier(grants),
      logger,
      isReady,
    }),
  );
  const stack = starting.move();
  return { address, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
