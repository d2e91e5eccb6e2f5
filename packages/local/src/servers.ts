import { join } from 'node:path';
import { natsProgram } from './nats.ts';
import { sharedBinDir } from './nats-server.ts';
import { postgresProgram } from './postgres.ts';
import type { Supervisor } from './processes.ts';

interface ServerOptions {
  dataDir: string;
  ephemeral: boolean;
  ports: ReadonlyMap<string, number>;
  env: NodeJS.ProcessEnv;
  show: (line: string) => void;
}

/** Starts Postgres, or takes the one of `DATABASE_URL`. Answers the administrator's URL. */
export async function startDatabase(options: ServerOptions, supervisor: Supervisor): Promise<string> {
  const given = options.env['DATABASE_URL'];
  if (given) return given;
  const { program, url } = await postgresProgram({
    dataDir: join(options.dataDir, 'postgres'),
    durable: !options.ephemeral,
    ...portOf('postgres', options),
  });
  await supervisor.start(program);
  return url;
}

/** Starts NATS, or takes the one of `NATS_URL`. Answers its URL. */
export async function startBus(options: ServerOptions, supervisor: Supervisor): Promise<string> {
  const given = options.env['NATS_URL'];
  if (given) return given;
  const { program, url } = await natsProgram({
    dataDir: join(options.dataDir, 'nats'),
    // A folder that goes away at the end is no place for what had to be fetched.
    binDir: options.ephemeral ? sharedBinDir : join(options.dataDir, 'bin'),
    onProgress: options.show,
    ...portOf('nats', options),
  });
  await supervisor.start(program);
  return url;
}

function portOf(name: string, { ports }: ServerOptions): { port?: number } {
  const port = ports.get(name);
  return port === undefined ? {} : { port };
}
