import { loadConfig, natsUrl, peerAddress, rpcTlsOf, serviceVariables } from '@parley/runtime/config/config';
import { z } from 'zod';

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    IDENTITY_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
  })
  .transform((env) => ({
    listen: env.LISTEN,
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.MIGRATION_DATABASE_URL,
    migrateOnStart: env.MIGRATE_ON_START,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    natsUrl: env.NATS_URL,
    identityAddress: env.IDENTITY_ADDRESS,
    interactionAddress: env.INTERACTION_ADDRESS,
    tokens: { service: env.RPC_TOKEN, operator: env.OPERATOR_TOKEN, callers: env.RPC_CALLERS },
    /** Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
