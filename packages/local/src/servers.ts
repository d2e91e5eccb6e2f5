import { join } from 'node:path';
import { natsProgram } from './nats.ts';
import { sharedBinDir } from './nats-server.ts';
import { postgresProgram } from './postgres.ts';
import type { Supervisor } from './processes.ts';

interface ServerOptions {
  dataDir: string;
  ephemeral: boolean;
  port: number;
  env: NodeJS.ProcessEnv;
}

/** Starts Postgres, or takes the one of `DATABASE_URL`. Answers the administrator's URL. */
export async function startDatabase(options: ServerOptions, supervisor: Supervisor): Promise<string> {
  const given = options.env['DATABASE_URL'];
  if (given) return given;
  const dataDir = join(options.dataDir, 'postgres');
  const { program, url } = await postgresProgram({
    dataDir,
    port: options.port,
    durable: !options.ephemeral,
  });
  await supervisor.start(program);
  return url;
}

/** Starts NATS, or takes the one of `NATS_URL`. Answers its URL. */
export async function startBus(
  options: ServerOptions & { show: (line: string) => void },
  supervisor: Supervisor,
): Promise<string> {
  const given = options.env['NATS_URL'];
  if (given) return given;
  const { program, url } = await natsProgram({
    dataDir: join(options.dataDir, 'nats'),
    // A folder that goes away at the end is no place for what had to be fetched.
    binDir: options.ephemeral ? sharedBinDir : join(options.dataDir, 'bin'),
    port: options.port,
    onProgress: options.show,
  });
  await supervisor.start(program);
  return url;
}
