import type { z } from 'zod';
import { rpcTlsOf, type serviceVariables } from './config.ts';

type ServiceEnvironment = z.output<z.ZodObject<typeof serviceVariables>>;

/** Returns the settings of every gRPC service with a database, by the values of `serviceVariables`. */
export function serviceSettings(env: ServiceEnvironment) {
  return {
    listen: env.LISTEN,
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.MIGRATION_DATABASE_URL,
    migrateOnStart: env.MIGRATE_ON_START,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    tokens: { service: env.RPC_TOKEN, operator: env.OPERATOR_TOKEN, callers: env.RPC_CALLERS },
    /** Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
  };
}
