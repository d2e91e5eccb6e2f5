import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseServices, type ServiceName, serviceNames } from '@parley/contracts/services';
import type { Replicas } from './processes/services.ts';

/** The command line of `npm start`. */
export interface Flags {
  port: number;
  /** Absolute if it was given. Undefined: a new temporary folder (only with `ephemeral`). */
  dataDir: string | undefined;
  ephemeral: boolean;
  replicas: Replicas;
  /** Runs a second Postgres, which follows the first and replaces it. */
  standby: boolean;
  nats: 1 | 3;
  metrics: boolean;
  /** Keeps recent traces in memory and shows them. */
  traces: boolean;
  tls: boolean;
  demoHistory: boolean;
  help: boolean;
}

/** A flag is invalid. The message names it and the reason, in one line. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export const helpText = `Runs the whole of Parley on this machine: Postgres, NATS and the services.

  npm start -- [--port N] [--data-dir DIR] [--ephemeral] [--replicas NAME=N,...] [--nats N]
                       [--postgres standby] [--metrics] [--traces] [--tls]
                       [--no-demo-history]

  --port N            where the API listens (3000; 0: any free port)
  --data-dir DIR      where everything is kept between runs, relative to where you type
                      (PARLEY_DATA_DIR, else .parley beside Parley's package.json); an existing
                      folder must be empty, or an earlier run's
  --ephemeral         keep nothing: a temporary folder, or that of --data-dir, is removed at the
                      end; the folder of a run that keeps its data is refused
  --replicas LIST     several replicas of a service, such as gateway=2,webhook=2
  --postgres standby  a second Postgres, which follows the first one and replaces it when it ends
  --nats N            how many NATS servers run: 1 or 3, a cluster whose stream has three replicas
  --metrics           serve the metrics of each process for Prometheus; local.json has the addresses
  --traces            keep recent traces in memory and show them at /traces
  --tls               calls between services use TLS, with throwaway certificates in the folder
  --no-demo-history   leave out the 200 conversations that a new demo workspace gets
  --help              this text

DATABASE_URL (PostgreSQL 15 to 18) and NATS_URL name existing servers to use instead of embedded
ones. On the server of DATABASE_URL, a run creates the database parley, whichever one the URL
names, and the roles parley_NAME of ${databaseServices.join(', ')}.
If one of them exists and is not from the same data folder, the start fails and changes nothing;
--ephemeral removes them at its end. NATS_SERVER_BIN names a NATS binary.
PARLEY_ALLOW_PRIVATE_WEBHOOKS=false restricts webhooks to public https URLs, as in a deployment.
`;

const replicasMax = 8;

/**
 * Parses the flags. Reads `PARLEY_DATA_DIR` and the variables of npm from the environment. Throws
 * `FlagError`.
 */
export function readFlags(args: readonly string[], env: NodeJS.ProcessEnv): Flags {
  const {
    port,
    'data-dir': dataDir,
    ephemeral,
    replicas,
    postgres,
    nats,
    metrics,
    traces,
    tls,
    'demo-history': demoHistory,
    help,
  } = parse(args);
  if (dataDir === '') throw new FlagError('--data-dir needs a folder');
  return {
    port: readPort(port),
    dataDir: readDataDir(dataDir, ephemeral, env),
    ephemeral,
    replicas: readReplicas(replicas),
    standby: readStandby(postgres, env),
    nats: readNats(nats),
    metrics,
    traces,
    tls,
    demoHistory,
    help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        port: { type: 'string', default: '3000' },
        'data-dir': { type: 'string' },
        ephemeral: { type: 'boolean', default: false },
        replicas: { type: 'string', default: '' },
        postgres: { type: 'string' },
        nats: { type: 'string', default: '1' },
        metrics: { type: 'boolean', default: false },
        traces: { type: 'boolean', default: false },
        tls: { type: 'boolean', default: false },
        'demo-history': { type: 'boolean', default: true },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new FlagError(explain(error as Error, args), { cause: error });
  }
}

/**
 * Returns Node's message, except for one of several lines (a value that starts with a dash), or an unhelpful
 * one: npm consumes flags without a preceding `--`, and passes on only their values.
 */
function explain({ message }: Error, args: readonly string[]): string {
  const [line = '', ...advice] = message.split('\n');
  const stray = /^Unexpected argument '(.*)'\. /.exec(line)?.[1];
  if (stray !== undefined)
    return `Unexpected argument '${stray}': flags come after --, as in npm start -- --port 8080`;
  const name = /'(--[a-z-]+)/.exec(line)?.[1];
  if (!name || advice.length === 0) return line;
  return `${name} cannot be "${args[args.indexOf(name) + 1]}"`;
}

/**
 * Resolves a given folder from where the command was typed, which npm passes in `INIT_CWD`, because it runs
 * the script in the folder of its `package.json`. The default folder is there.
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

function readStandby(text: string | undefined, { DATABASE_URL }: NodeJS.ProcessEnv): boolean {
  if (text === undefined) return false;
  if (text !== 'standby') throw new FlagError(`--postgres must be standby, not "${text}"`);
  if (DATABASE_URL) throw new FlagError('--postgres standby needs the embedded Postgres: unset DATABASE_URL');
  return true;
}

function readNats(text: string): 1 | 3 {
  if (text !== '1' && text !== '3') throw new FlagError(`--nats must be 1 or 3, not "${text}"`);
  return text === '3' ? 3 : 1;
}

function isService(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}
