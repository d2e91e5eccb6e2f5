import {
  eventRetentionDays,
  loadConfig,
  natsUrl,
  peerAddress,
  rpcTlsOf,
  serviceVariables,
} from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { z } from 'zod';

const environment = z
  .object({
    ...serviceVariables,
    IDENTITY_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
    WEBHOOK_ADDRESS: peerAddress,
    NATS_URL: natsUrl,
    EVENT_RETENTION_DAYS: eventRetentionDays,
    ENCRYPTION_KEYS: keyring,
  })
  .transform((env) => ({
    listen: env.LISTEN,
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.MIGRATION_DATABASE_URL,
    migrateOnStart: env.MIGRATE_ON_START,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    tokens: { service: env.RPC_TOKEN, operator: env.OPERATOR_TOKEN, callers: env.RPC_CALLERS },
    /** Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
    identityAddress: env.IDENTITY_ADDRESS,
    interactionAddress: env.INTERACTION_ADDRESS,
    webhookAddress: env.WEBHOOK_ADDRESS,
    natsUrl: env.NATS_URL,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    /** The keys that encrypt the private keys of receipts. */
    keys: env.ENCRYPTION_KEYS,
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
