import { z } from 'zod';

/** The environment does not fit. The message names every fault; it holds no values, since some are secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads a process's configuration from its environment, all faults at once.
 * Called once per process, in its `config.ts`; nothing else reads the environment but `run`, what all processes share.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.output<Schema> {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const faults = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || '(environment)'}: ${issue.message}`,
  );
  throw new ConfigError(`the environment is not valid:\n${faults.join('\n')}`);
}

/** `host:port`; the port may be 0 for any free one. */
export const listenAddress = z.string().transform((value, context) => {
  const match = /^(.+):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (!match?.[1] || port > 65_535) {
    context.addIssue({ code: 'custom', message: 'must be host:port' });
    return z.NEVER;
  }
  return { host: match[1], port };
});

export type ListenAddress = z.output<typeof listenAddress>;

/** What every gRPC service with a database is told by its environment. */
export const serviceVariables = {
  LISTEN: listenAddress,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The credential of calls between services. */
  RPC_TOKEN: z.string().min(16),
  /** The credential of the operator. */
  OPERATOR_TOKEN: z.string().min(16),
};

/** The address of a peer, as `connect` takes it. */
export const peerAddress = z.string().min(1);

/** What need not be set. Set to nothing, as compose files do, counts as not set. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A whole number that is not negative. */
export const count = z.coerce.number().int().nonnegative();

/** Addresses and networks (CIDR) with commas between; none by default. One of everything would make a list of exceptions the rule. */
export const networks = z
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
