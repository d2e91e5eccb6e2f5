import {
  count,
  httpUrl,
  listenAddress,
  loadConfig,
  natsUrl,
  networks,
  optional,
  peerAddress,
  rpcTlsOf,
  rpcTlsVariables,
  serviceVariables,
} from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { z } from 'zod';

/** A rate. Default: `usual`. */
const rate = (usual: number) => optional(count.min(1)).transform((given) => given ?? usual);

const schema = z
  .object({
    LISTEN: listenAddress,
    IDENTITY_ADDRESS: peerAddress,
    CUSTOMER_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
    WEBHOOK_ADDRESS: peerAddress,
    INSIGHT_ADDRESS: optional(peerAddress),
    RPC_TOKEN: serviceVariables.RPC_TOKEN,
    ...rpcTlsVariables,
    NATS_URL: natsUrl,
    SESSION_KEYS: keyring,
    LANDING_URL: httpUrl,
    PUBLIC_URL: optional(httpUrl),
    TRUSTED_PROXIES: networks,
    DOCS_EXAMPLES_FILE: optional(z.string()),
    DEMO_FILE: optional(z.string()),
    TRACES_URL: optional(httpUrl),
    NODE_ENV: optional(z.string()),
    RATE_LIMIT_PER_SECOND: rate(200),
    RATE_LIMIT_BURST: rate(400),
    RATE_LIMIT_SESSIONS_PER_MINUTE: rate(60),
    RATE_LIMIT_PENDING_PER_MINUTE: rate(12),
    RATE_LIMIT_CONVERSATION_PER_MINUTE: rate(120),
    RATE_LIMIT_MESSAGES_PER_MINUTE: rate(30),
    RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE: rate(600),
    RATE_LIMIT_SIGN_INS_PER_MINUTE: rate(300),
    AUTH_FAILURES_PER_MINUTE: rate(100),
  })
  .refine((env) => env.DEMO_FILE === undefined || env.NODE_ENV !== 'production', {
    path: ['DEMO_FILE'],
    message: 'is for local runs only: the demo starts conversations for anyone',
  })
  .refine((env) => env.TRACES_URL === undefined || env.NODE_ENV !== 'production', {
    path: ['TRACES_URL'],
    message: 'is for local runs only: anyone could see the traces',
  })
  .transform((env) => ({
    listen: env.LISTEN,
    addresses: {
      identity: env.IDENTITY_ADDRESS,
      customer: env.CUSTOMER_ADDRESS,
      interaction: env.INTERACTION_ADDRESS,
      webhook: env.WEBHOOK_ADDRESS,
      /** Undefined: the deployment has no insight service. */
      insight: env.INSIGHT_ADDRESS,
    },
    rpcToken: env.RPC_TOKEN,
    /** The files of TLS between services. Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
    natsUrl: env.NATS_URL,
    /** The keys that sign session tokens. */
    sessionKeys: env.SESSION_KEYS,
    /** The URL of links of interactions, without a trailing slash. */
    landingUrl: env.LANDING_URL.replace(/\/+$/, ''),
    /** The URL of the API for browsers, without a trailing slash. Undefined: that of the landing page. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** The proxies whose X-Forwarded-For is trusted: addresses and networks (CIDR). */
    trustedProxies: env.TRUSTED_PROXIES,
    /** The file with examples that work in this deployment. */
    docsExamplesFile: env.DOCS_EXAMPLES_FILE,
    /** The file of the demo. Undefined: no demo. */
    demoFile: env.DEMO_FILE,
    /** The server of a local run that shows traces. Undefined: no traces. */
    tracesUrl: env.TRACES_URL?.replace(/\/+$/, ''),
    /** The rate limits. The OpenAPI document has them. */
    limits: {
      /** Calls of one API key. */
      callsPerSecond: env.RATE_LIMIT_PER_SECOND,
      /** At once. At least the rate per second. */
      callsBurst: Math.max(env.RATE_LIMIT_BURST, env.RATE_LIMIT_PER_SECOND),
      /** New sessions of one customer, and of the link of one interaction. */
      sessionsPerMinute: env.RATE_LIMIT_SESSIONS_PER_MINUTE,
      /** Reads of `pending` in one session. */
      pendingPerMinute: env.RATE_LIMIT_PENDING_PER_MINUTE,
      /** Reads and starts of conversations in one session. */
      conversationCallsPerMinute: env.RATE_LIMIT_CONVERSATION_PER_MINUTE,
      /** Messages in one session. */
      messagesPerMinute: env.RATE_LIMIT_MESSAGES_PER_MINUTE,
      /** Lookups of unknown workspaces by pages at one address. */
      workspaceLookupsPerMinute: env.RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE,
      /** Sign-ins that people at one address begin. An office can have one address. */
      signInsPerMinute: env.RATE_LIMIT_SIGN_INS_PER_MINUTE,
      /** Failed authentications, tokens and links of one address; failed authentications of one API key. */
      authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    },
  }));

export type Config = z.output<typeof schema>;

/** Reads the environment. Throws a ConfigError with all faults. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(schema, env);
}
