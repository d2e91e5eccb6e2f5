import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Replicas, type ServiceName, serviceNames } from './service-names.ts';

/** What the command line of `npm start` asks for. */
export interface Flags {
  port: number;
  /** Undefined: a folder under the system's temporary one (only with `ephemeral`). One that was named is absolute. */
  dataDir: string | undefined;
  ephemeral: boolean;
  replicas: Replicas;
  help: boolean;
}

/** The flags make no sense; the message says which and why, in one line. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export const helpText = `Runs the whole of Parley on this machine: Postgres, NATS and the five services.

  npm start -- [--port N] [--data-dir DIR] [--ephemeral] [--replicas NAME=N,...]

  --port N            where the API listens (3000; 0: any free port)
  --data-dir DIR      where everything is kept between runs, as seen from where you type
                      (PARLEY_DATA_DIR, else .parley beside Parley's package.json)
  --ephemeral         keep nothing: a temporary folder, or that of --data-dir, removed at the end;
                      one that is there must be empty, or an earlier ephemeral run's
  --replicas LIST     several copies of a service, say gateway=2,webhook=2
  --help              this text

Existing servers instead of embedded ones: DATABASE_URL, NATS_URL. On the server of DATABASE_URL it makes
the database parley and the roles parley_identity, parley_customer, parley_interaction and parley_webhook,
whichever database the URL names. Where one of them is there and not from the same data folder, it changes
nothing and ends; --ephemeral removes them at its end. A certain NATS binary: NATS_SERVER_BIN.
Webhooks to public https URLs only, as in a deployment: PARLEY_ALLOW_PRIVATE_WEBHOOKS=false.
`;

const replicasMax = 8;

/** Reads the flags; of the environment, the folder and where the command was typed. Throws `FlagError`. */
export function readFlags(args: readonly string[], env: NodeJS.ProcessEnv): Flags {
  const { port, 'data-dir': dataDir, ephemeral, replicas, help } = parse(args);
  if (dataDir === '') throw new FlagError('--data-dir needs a folder');
  return {
    port: readPort(port),
    dataDir: readDataDir(dataDir, ephemeral, env),
    ephemeral,
    replicas: readReplicas(replicas),
    help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        'data-dir': { type: 'string' },
        ephemeral: { type: 'boolean', default: false },
        replicas: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new FlagError(complaint(error as Error, args), { cause: error });
  }
}

/**
 * Node's own words, except where they are several lines (a value that begins with a dash), or of no help: npm keeps flags
 * that do not come after `--` to itself, and hands on their values alone.
 */
function complaint({ message }: Error, args: readonly string[]): string {
  const [line = '', ...advice] = message.split('\n');
  const stray = /^Unexpected argument '(.*)'\. /.exec(line)?.[1];
  if (stray !== undefined)
    return `Unexpected argument '${stray}': flags come after --, as in npm start -- --port 8080`;
  const name = /'(--[a-z-]+)/.exec(line)?.[1];
  if (!name || advice.length === 0) return line;
  return `${name} cannot be "${args[args.indexOf(name) + 1]}"`;
}

/**
 * A folder that is named is meant from where the command was typed: npm runs the script in the folder of its
 * `package.json`, and has the other one in `INIT_CWD`. The usual one is in the script's, wherever it was typed.
 */
function readDataDir(
  given: string | undefined,
  ephemeral: boolean,
  { PARLEY_DATA_DIR, npm_lifecycle_event: script, INIT_CWD: typedIn }: NodeJS.ProcessEnv,
): string | undefined {
  const named = given ?? (ephemeral ? undefined : PARLEY_DATA_DIR);
  if (named) return resolve((script === 'start' && typedIn) || '', named);
  return ephemeral ? undefined : '.parley';
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new FlagError(`--port must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function readReplicas(text: string): Replicas {
  const replicas: Replicas = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', number = ''] = part.split('=');
    if (!isService(name))
      throw new FlagError(`--replicas: there is no service "${name}" (${serviceNames.join(', ')})`);
    const count = Number(number);
    if (!Number.isInteger(count) || count < 1 || count > replicasMax) {
      throw new FlagError(`--replicas: ${name} must be a number from 1 to ${replicasMax}, not "${number}"`);
    }
    replicas[name] = count;
  }
  return replicas;
}

function isService(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}
