import { loadConfig, peerAddress, serviceVariables } from '@parley/runtime/config';
import { keyring } from '@parley/runtime/keyring';
import { z } from 'zod';

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: z.url(),
    CUSTOMER_ADDRESS: peerAddress,
    WEBHOOK_ADDRESS: peerAddress,
    LINK_KEYS: keyring,
  })
  .transform((env) => ({
    listen: env.LISTEN,
    databaseUrl: env.DATABASE_URL,
    natsUrl: env.NATS_URL,
    tokens: { service: env.RPC_TOKEN, operator: env.OPERATOR_TOKEN },
    /** Who knows the customers of interactions. */
    customerAddress: env.CUSTOMER_ADDRESS,
    /** Who holds the events once they have arrived. */
    webhookAddress: env.WEBHOOK_ADDRESS,
    /** Keys that sign the tokens of links. */
    linkKeys: env.LINK_KEYS,
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
