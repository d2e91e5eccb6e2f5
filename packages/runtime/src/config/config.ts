import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { type CallerName, callerNames } from '@parley/contracts/method-access';
import { z } from 'zod';
import { type Keyring, keyring } from './keyring.ts';
import { parseNatsUrl } from './nats-url.ts';
import { certificateOnly, parseRpcTokens, rpcTokens } from './rpc-tokens.ts';
import { readSettingFiles } from './setting-files.ts';
import { isTarget } from './target.ts';
import { faultMessage } from '../zod-faults.ts';

/**
 * The environment is invalid. The message names every fault; it contains no values, because some are secrets.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses a process's configuration from its environment and the files that it names (`secretSettings`). Throws
 * `ConfigError` with all faults at once. Called in the `config.ts` of a process, at start and when a file has changed.
 * Only `run` also reads the environment, for the settings that all processes share.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.output<Schema> {
  const read = readSettingFiles(env);
  const result = schema.safeParse(read.env, { error: variableFault });
  const shared = sharedVariables.safeParse(read.env, { error: variableFault });
  const unread = new Set(read.faults.map(({ setting }) => setting));
  const issues = [...(result.error?.issues ?? []), ...(shared.error?.issues ?? [])]
    .map((issue) => ({ setting: issue.path.join('.') || '(environment)', message: issue.message }))
    // A setting whose file cannot be read has only that fault.
    .filter(({ setting }) => !unread.has(`${setting}_FILE`));
  const faults = [...read.faults, ...issues, ...rpcTlsFaults(env), ...tokenFaults(read.env)];
  if (result.success && faults.length === 0) return result.data;
  throw new ConfigError(
    `the environment is not valid:\n${faults.map(({ setting, message }) => `  ${setting}: ${message}`).join('\n')}`,
  );
}

// A fault follows the name of its variable.
function variableFault(issue: z.core.$ZodRawIssue): string {
  const message = faultMessage(issue);
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/**
 * Parses `host:port`, with an IPv6 address in brackets; the port may be 0 for any free one. The result has
 * the host without brackets.
 */
export const listenAddress = z.string().transform((value, context) => {
  const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = inBrackets && isIPv6(inBrackets) ? inBrackets : plain;
  const port = Number(digits);
  if (!host || port > 65_535) {
    context.addIssue({ code: 'custom', message: 'must be host:port, with an IPv6 address in brackets' });
    return z.NEVER;
  }
  return { host, port };
});

export type ListenAddress = z.output<typeof listenAddress>;

/** Formats an address: the reverse of `listenAddress`. */
export function addressText({ host, port }: ListenAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Makes a variable optional. An empty value, as compose files set it, counts as unset. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

const databaseVariables = {
  DATABASE_URL: databaseUrl,
  /** The database and role of `DATABASE_URL` without a pooler, for migrations. */
  MIGRATION_DATABASE_URL: optional(databaseUrl),
};

/** Throws `ConfigError`. */
export function readMigrationDatabaseUrl(env: NodeJS.ProcessEnv): string {
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = loadConfig(z.object(databaseVariables), env);
  return MIGRATION_DATABASE_URL ?? DATABASE_URL;
}

/** Throws `ConfigError`. */
export function readSecretsConfig(env: NodeJS.ProcessEnv): { url: string; keys: Keyring } {
  const { DATABASE_URL, ENCRYPTION_KEYS } = loadConfig(
    z.object({ ...databaseVariables, ENCRYPTION_KEYS: keyring }),
    env,
  );
  return { url: DATABASE_URL, keys: ENCRYPTION_KEYS };
}

/**
 * Parses `name:sha256 (hex) of its token[,...]`. A name may occur twice, while its token changes. Names that only a
 * later release knows are left out: their calls are refused.
 */
const rpcCallers = z.string().transform((value, context): ReadonlyMap<string, CallerName> => {
  const digests = new Set<string>();
  const callers = new Map<string, CallerName>();
  for (const [index, part] of value.split(',').entries()) {
    const [, stated, digest] = /^([a-z]+):([0-9a-f]{64})$/.exec(part.trim()) ?? [];
    if (!digest || digests.has(digest)) {
      const fault = digest
        ? 'has the token of an entry before it'
        : 'is not NAME:SHA256, with the SHA-256 of a token in lower-case hex';
      context.addIssue({ code: 'custom', message: `entry ${index + 1} ${fault}` });
      return z.NEVER;
    }
    digests.add(digest);
    const name = callerNames.find((one) => one === stated);
    if (name) callers.set(digest, name);
  }
  return callers;
});

/** Returns a fault if a service could pass for the operator by its own token, or anybody without a certificate. */
function tokenFaults(env: NodeJS.ProcessEnv) {
  const { RPC_TOKEN = '', OPERATOR_TOKEN } = env;
  const tokens = parseRpcTokens(RPC_TOKEN);
  if (tokens.includes(certificateOnly) && !rpcTlsOf(env))
    return [{ setting: 'RPC_TOKEN', message: `must not be ${certificateOnly} without TLS between services` }];
  if (!OPERATOR_TOKEN || !tokens.includes(OPERATOR_TOKEN)) return [];
  return [{ setting: 'OPERATOR_TOKEN', message: 'must not be one of RPC_TOKEN' }];
}

/** The variables of TLS between services: all of them or none. Paths of PEM files. */
export const rpcTlsVariables = {
  RPC_TLS_CA_FILE: optional(z.string()),
  /** The certificate of this service, with intermediate ones after it. */
  RPC_TLS_CERT_FILE: optional(z.string()),
  RPC_TLS_KEY_FILE: optional(z.string()),
};

export interface RpcTlsFiles {
  ca: string;
  cert: string;
  key: string;
}

/** Undefined if no variable is set. */
export function rpcTlsOf(
  env: {
    [Name in keyof typeof rpcTlsVariables]?: string | undefined;
  },
): RpcTlsFiles | undefined {
  const { RPC_TLS_CA_FILE: ca, RPC_TLS_CERT_FILE: cert, RPC_TLS_KEY_FILE: key } = env;
  return ca && cert && key ? { ca, cert, key } : undefined;
}

/** Returns a fault for each variable of TLS that is missing beside the others. */
export function rpcTlsFaults(env: NodeJS.ProcessEnv): { setting: string; message: string }[] {
  const missing = Object.keys(rpcTlsVariables).filter((name) => !env[name]);
  if (missing.length === 0 || missing.length === Object.keys(rpcTlsVariables).length) return [];
  return missing.map((setting) => ({
    setting,
    message: 'is missing: TLS between services needs RPC_TLS_CA_FILE, RPC_TLS_CERT_FILE and RPC_TLS_KEY_FILE',
  }));
}

const auditRetentionDays = optional(z.coerce.number().int().min(1).max(3_650)).transform(
  (days) => days ?? 400,
);

export const serviceVariables = {
  LISTEN: listenAddress,
  ...rpcTlsVariables,
  ...databaseVariables,
  /** False: the service does not migrate its schema, and does not start without the migrations that it needs. */
  MIGRATE_ON_START: optional(flag).transform((value) => value ?? true),
  RPC_TOKEN: rpcTokens,
  /** Who calls, by the digests of tokens. Without it, all services use the tokens of RPC_TOKEN. */
  RPC_CALLERS: optional(rpcCallers),
  /** The credential of the operator, if RPC_CALLERS does not have its digest. */
  OPERATOR_TOKEN: optional(z.string().min(16)),
  AUDIT_RETENTION_DAYS: auditRetentionDays,
};

/** How many days an event log keeps events: a consumer that was away for longer misses some. */
export const eventRetentionDays = optional(z.coerce.number().int().min(1).max(3_650)).transform(
  (days) => days ?? 30,
);

export const natsStreamReplicas = optional(z.enum(['1', '3'], 'must be 1 or 3')).transform((replicas) =>
  Number(replicas ?? 1),
);

/** An address of the web to which paths are appended. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .regex(/^[^?#]*$/, 'must have no query and no fragment');

/** The address of a peer, in the form that `connect` accepts. */
export const peerAddress = z
  .string()
  .refine(isTarget, 'must be host:port, dns:///host:port or ipv4:a:port,b:port, with ports from 1 to 65535');

/** The addresses of NATS: see `parseNatsUrl`. May contain credentials. */
export const natsUrl = z.string().superRefine((value, context) => {
  try {
    parseNatsUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is malformed' });
  }
});

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A file of PEM certificates. */
const certificateFile = z.string().refine((path) => {
  try {
    return Boolean(new X509Certificate(readFileSync(path)));
  } catch {
    return false;
  }
}, 'must be a readable file that has a certificate (PEM)');

/** The settings of every process, which `run` uses. */
const sharedVariables = z.object({
  LOG_LEVEL: optional(z.enum(levels)),
  METRICS_LISTEN: optional(listenAddress),
  // Node reads it too, but only warns about a file that it cannot use.
  NODE_EXTRA_CA_CERTS: optional(certificateFile),
});

/**
 * Returns the minimum log level: `info`, or a level of pino in the environment. Falls back to `info` for an
 * invalid one.
 */
export function logLevel(env: NodeJS.ProcessEnv): string {
  return sharedVariables.safeParse(env).data?.LOG_LEVEL ?? 'info';
}

/** Where metrics are served for Prometheus; undefined if nowhere. */
export function metricsListen(env: NodeJS.ProcessEnv): ListenAddress | undefined {
  return sharedVariables.safeParse(env).data?.METRICS_LISTEN;
}

export const count = z.coerce.number().int().nonnegative();

/**
 * Addresses and networks (CIDR) separated by commas; none by default. Rejects a network of all addresses,
 * which would make the exceptions the rule.
 */
export const networks = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== ''))
  .pipe(
    z.array(
      z
        .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or networks (CIDR)')
        .refine((entry) => !entry.endsWith('/0'), 'must not contain all addresses'),
    ),
  );
