import {
  type AddressVariable,
  addressVariable,
  type DatabaseService,
  databaseServices,
  type OptionalService,
  services,
} from '@parley/contracts/services';
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
import { openLinkLimits } from '@parley/contracts/limits';
import { keyring } from '@parley/runtime/config/keyring';
import { z } from 'zod';

const rate = (usual: number) => optional(count.min(1)).transform((given) => given ?? usual);

/** The addresses of all services behind the gateway. Undefined: the deployment has no such service. */
type Addresses = Record<Exclude<DatabaseService, OptionalService>, string> &
  Record<OptionalService, string | undefined>;

const addressOf = (name: DatabaseService): z.ZodType<string | undefined> =>
  services[name].isOptional ? optional(peerAddress) : peerAddress;

const addressVariables = Object.fromEntries(
  databaseServices.map((name) => [addressVariable(name), addressOf(name)]),
) as Record<AddressVariable, z.ZodType<string | undefined>>;

const addressesIn = (env: Record<AddressVariable, string | undefined>): Addresses =>
  Object.fromEntries(databaseServices.map((name) => [name, env[addressVariable(name)]])) as Addresses;

const schema = z
  .object({
    LISTEN: listenAddress,
    ...addressVariables,
    RPC_TOKEN: serviceVariables.RPC_TOKEN,
    ...rpcTlsVariables,
    NATS_URL: natsUrl,
    SESSION_KEYS: keyring,
    LANDING_URL: httpUrl,
    PUBLIC_URL: optional(httpUrl),
    TRUSTED_PROXIES: networks,
    RATE_LIMIT_PER_SECOND: rate(200),
    RATE_LIMIT_MESSAGES_PER_MINUTE: rate(30),
    AUTH_FAILURES_PER_MINUTE: rate(100),
  })
  .transform((env) => ({
    listen: env.LISTEN,
    addresses: addressesIn(env),
    rpcToken: env.RPC_TOKEN,
    /** Undefined: plain text. */
    rpcTls: rpcTlsOf(env),
    natsUrl: env.NATS_URL,
    sessionKeys: env.SESSION_KEYS,
    /** Without a trailing slash. */
    landingUrl: env.LANDING_URL.replace(/\/+$/, ''),
    /** Without a trailing slash. Undefined: browsers use `landingUrl`. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** The proxies whose X-Forwarded-For is trusted: addresses and networks (CIDR). */
    trustedProxies: env.TRUSTED_PROXIES,
    /** The OpenAPI document has them. */
    limits: {
      ...limitsOfKeys(env.RATE_LIMIT_PER_SECOND),
      ...limitsOfBrowsers(env.RATE_LIMIT_MESSAGES_PER_MINUTE),
      ...limitsOfOpenLinks(),
      /** Failed authentications, tokens and links of one address; failed authentications of one API key. */
      authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    },
  }));

function limitsOfKeys(callsPerSecond: number) {
  return {
    /** Calls of one API key. */
    callsPerSecond,
    callsBurst: 2 * callsPerSecond,
  };
}

/** Returns what browsers may do, in proportion to the messages of a session. */
function limitsOfBrowsers(messagesPerMinute: number) {
  return {
    /** Messages in one session. */
    messagesPerMinute,
    /** New sessions of one customer, and of the link of one interaction. */
    sessionsPerMinute: 2 * messagesPerMinute,
    /** Reads of `pending` in one session. */
    pendingPerMinute: Math.ceil((2 * messagesPerMinute) / 5),
    /** Reads and starts of conversations in one session. */
    conversationCallsPerMinute: 4 * messagesPerMinute,
    /** Lookups of unknown workspaces by pages at one address. */
    workspaceLookupsPerMinute: 20 * messagesPerMinute,
    /** Sign-ins that people at one address begin. An office can have one address. */
    signInsPerMinute: 10 * messagesPerMinute,
  };
}

function limitsOfOpenLinks(): { startsPerAddressPerMinute: number; startsPerLinkPerMinute: number } {
  const { startsPerAddressMax, startsPerLinkMax } = openLinkLimits;
  return { startsPerAddressPerMinute: startsPerAddressMax, startsPerLinkPerMinute: startsPerLinkMax };
}

export type Config = z.output<typeof schema>;

/** Throws a ConfigError with all faults. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(schema, env);
}
