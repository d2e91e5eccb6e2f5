import {
  eventRetentionDays,
  loadConfig,
  natsUrl,
  peerAddress,
  serviceVariables,
} from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { serviceSettings } from '@parley/runtime/config/service-settings';
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
    ...serviceSettings(env),
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
