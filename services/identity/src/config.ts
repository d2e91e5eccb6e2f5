import { loadConfig, natsUrl, rpcTlsOf, serviceVariables } from '@parley/runtime/config';
import { keyring } from '@parley/runtime/keyring';
import { z } from 'zod';

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    CREDENTIAL_PEPPERS: keyring,
    ENCRYPTION_KEYS: keyring,
  })
  .transform((env) => ({
    listen: env.LISTEN,
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.MIGRATION_DATABASE_URL,
    migrateOnStart: env.MIGRATE_ON_START,
    /** How many days the audit log keeps events. */
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    natsUrl: env.NATS_URL,
    tokens: { service: env.RPC_TOKEN, operator: env.OPERATOR_TOKEN, callers: env.RPC_CALLERS },
    /** The files of TLS between services. Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
    /** Keys of the digests of API secrets. Removing a pepper revokes the secrets under it. */
    peppers: env.CREDENTIAL_PEPPERS,
    /** Keys that encrypt SDK secrets. */
    encryptionKeys: env.ENCRYPTION_KEYS,
  }));

export type Config = z.output<typeof environment>;

/** Reads the environment. Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
