import { count, listenAddress, loadConfig, peerAddress, serviceVariables } from '@parley/runtime/config';
import { keyring } from '@parley/runtime/keyring';
import { z } from 'zod';

const schema = z
  .object({
    LISTEN: listenAddress,
    IDENTITY_ADDRESS: peerAddress,
    CUSTOMER_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
    WEBHOOK_ADDRESS: peerAddress,
    RPC_TOKEN: serviceVariables.RPC_TOKEN,
    NATS_URL: z.url(),
    SESSION_KEYS: keyring,
    LANDING_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    RATE_LIMIT_PER_SECOND: count.min(1).default(200),
    RATE_LIMIT_BURST: count.min(1).default(400),
    AUTH_FAILURES_PER_MINUTE: count.min(1).default(100),
  })
  .transform((env) => ({
    listen: env.LISTEN,
    addresses: {
      identity: env.IDENTITY_ADDRESS,
      customer: env.CUSTOMER_ADDRESS,
      interaction: env.INTERACTION_ADDRESS,
      webhook: env.WEBHOOK_ADDRESS,
    },
    rpcToken: env.RPC_TOKEN,
    natsUrl: env.NATS_URL,
    /** Keys that session tokens are signed with. */
    sessionKeys: env.SESSION_KEYS,
    /** Where links of interactions lead, without a trailing slash. */
    landingUrl: env.LANDING_URL.replace(/\/+$/, ''),
    /** Calls that one API key may make. */
    rateLimit: { perSecond: env.RATE_LIMIT_PER_SECOND, burst: env.RATE_LIMIT_BURST },
    /** Failed authentications that one address, and one API key, may have. */
    authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
  }));

/** What the gateway is told by its environment. */
export type Config = z.output<typeof schema>;

/** Reads the environment. ConfigError with every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(schema, env);
}
