import { count, listenAddress, loadConfig, peerAddress, serviceVariables } from '@parley/runtime/config';
import { keyring } from '@parley/runtime/keyring';
import { z } from 'zod';

/** Addresses and networks with commas between; none by default. A network of everything would believe anyone. */
const networks = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== ''))
  .pipe(
    z.array(
      z
        .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or networks (CIDR)')
        .refine((entry) => !entry.endsWith('/0'), 'must not be everything'),
    ),
  );

/** Not set, or set to nothing, as compose files do. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

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
    LANDING_URL: httpUrl,
    PUBLIC_URL: optional(httpUrl),
    TRUSTED_PROXIES: networks,
    DOCS_EXAMPLES_FILE: z.string().min(1).optional(),
    DEMO_FILE: optional(z.string()),
    NODE_ENV: z.string().optional(),
    RATE_LIMIT_PER_SECOND: count.min(1).default(200),
    RATE_LIMIT_BURST: count.min(1).default(400),
    RATE_LIMIT_SESSIONS_PER_MINUTE: count.min(1).default(20),
    RATE_LIMIT_PENDING_PER_MINUTE: count.min(1).default(12),
    RATE_LIMIT_CONVERSATION_PER_MINUTE: count.min(1).default(120),
    RATE_LIMIT_MESSAGES_PER_MINUTE: count.min(1).default(30),
    AUTH_FAILURES_PER_MINUTE: count.min(1).default(100),
  })
  .refine((env) => env.DEMO_FILE === undefined || env.NODE_ENV !== 'production', {
    path: ['DEMO_FILE'],
    message: 'is for local runs: the demo makes talks for anyone, and has no place in production',
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
    /** Where browsers reach the API, without a trailing slash; undefined: where the landing page is from. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Whose X-Forwarded-For is believed: addresses and networks (CIDR). */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Examples that work here, for the API's description; without it they are made up. */
    docsExamplesFile: env.DOCS_EXAMPLES_FILE,
    /** Who and what the demo is about; undefined where there is no demo. */
    demoFile: env.DEMO_FILE,
    /** What clients may do how often; the API's description states these. */
    limits: {
      /** Calls that one API key may make. */
      callsPerSecond: env.RATE_LIMIT_PER_SECOND,
      /** At once; a burst below the rate of a second would mean nothing. */
      callsBurst: Math.max(env.RATE_LIMIT_BURST, env.RATE_LIMIT_PER_SECOND),
      /** Sessions that may be begun from one address. */
      sessionsPerMinute: env.RATE_LIMIT_SESSIONS_PER_MINUTE,
      /** How often one session may ask for what is pending. */
      pendingPerMinute: env.RATE_LIMIT_PENDING_PER_MINUTE,
      /** How often one session may get or start a talk. */
      conversationCallsPerMinute: env.RATE_LIMIT_CONVERSATION_PER_MINUTE,
      /** Messages that one session may post. */
      messagesPerMinute: env.RATE_LIMIT_MESSAGES_PER_MINUTE,
      /** Failed authentications that one address, and one API key, may have. */
      authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    },
  }));

/** What the gateway is told by its environment. */
export type Config = z.output<typeof schema>;

/** Reads the environment. ConfigError with every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(schema, env);
}
