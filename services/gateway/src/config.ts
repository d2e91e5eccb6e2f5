import {
  count,
  listenAddress,
  loadConfig,
  natsUrl,
  networks,
  optional,
  peerAddress,
  serviceVariables,
} from '@parley/runtime/config';
import { keyring } from '@parley/runtime/keyring';
import { z } from 'zod';

/** How often something may be done, where nothing is said `usual`. */
const rate = (usual: number) => optional(count.min(1)).transform((given) => given ?? usual);

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const schema = z
  .object({
    LISTEN: listenAddress,
    IDENTITY_ADDRESS: peerAddress,
    CUSTOMER_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
    WEBHOOK_ADDRESS: peerAddress,
    RPC_TOKEN: serviceVariables.RPC_TOKEN,
    NATS_URL: natsUrl,
    SESSION_KEYS: keyring,
    LANDING_URL: httpUrl,
    PUBLIC_URL: optional(httpUrl),
    TRUSTED_PROXIES: networks,
    DOCS_EXAMPLES_FILE: optional(z.string()),
    DEMO_FILE: optional(z.string()),
    NODE_ENV: optional(z.string()),
    RATE_LIMIT_PER_SECOND: rate(200),
    RATE_LIMIT_BURST: rate(400),
    RATE_LIMIT_SESSIONS_PER_MINUTE: rate(60),
    RATE_LIMIT_PENDING_PER_MINUTE: rate(12),
    RATE_LIMIT_CONVERSATION_PER_MINUTE: rate(120),
    RATE_LIMIT_MESSAGES_PER_MINUTE: rate(30),
    RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE: rate(600),
    AUTH_FAILURES_PER_MINUTE: rate(100),
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
      /** Sessions that may be begun for one customer, and by the link of one interaction. */
      sessionsPerMinute: env.RATE_LIMIT_SESSIONS_PER_MINUTE,
      /** How often one session may ask for what is pending. */
      pendingPerMinute: env.RATE_LIMIT_PENDING_PER_MINUTE,
      /** How often one session may get or start a talk. */
      conversationCallsPerMinute: env.RATE_LIMIT_CONVERSATION_PER_MINUTE,
      /** Messages that one session may post. */
      messagesPerMinute: env.RATE_LIMIT_MESSAGES_PER_MINUTE,
      /** Workspaces that the gateway does not know yet, of which pages at one address may have it ask. */
      workspaceLookupsPerMinute: env.RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE,
      /** Failed authentications, tokens and links that one address, and authentications that one API key, may have. */
      authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    },
  }));

/** What the gateway is told by its environment. */
export type Config = z.output<typeof schema>;

/** Reads the environment. ConfigError with every fault. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(schema, env);
}
