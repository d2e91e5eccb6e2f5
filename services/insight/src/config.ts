import { loadConfig, natsUrl, peerAddress, serviceVariables } from '@parley/runtime/config/config';
import { serviceSettings } from '@parley/runtime/config/service-settings';
import { z } from 'zod';

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    IDENTITY_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
  })
  .transform((env) => ({
    ...serviceSettings(env),
    natsUrl: env.NATS_URL,
    identityAddress: env.IDENTITY_ADDRESS,
    interactionAddress: env.INTERACTION_ADDRESS,
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
