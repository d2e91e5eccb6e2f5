import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseNatsUrl } from '@parley/runtime/nats-url';
import { natsProgram } from './nats.ts';
import { postgresProgram } from './postgres.ts';
import type { Supervisor } from './processes.ts';
import { StartError } from './program.ts';

const answerMsMax = 5_000;

interface ServerOptions {
  dataDir: string;
  ephemeral: boolean;
  port: number;
  env: NodeJS.ProcessEnv;
}

/** Starts Postgres, or takes the one of `DATABASE_URL`. Answers the administrator's URL. */
export async function startDatabase(options: ServerOptions, supervisor: Supervisor): Promise<string> {
  const given = options.env['DATABASE_URL'];
  if (given) {
    await mustAnswer('DATABASE_URL', [given], '5432');
    return given;
  }
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
  options: ServerOptions & { password: string; show: (line: string) => void; signal: AbortSignal },
  supervisor: Supervisor,
): Promise<string> {
  const given = options.env['NATS_URL'];
  if (given) {
    await mustAnswer('NATS_URL', natsServers(given), '4222');
    return given;
  }
  const { program, url } = await natsProgram({
    dataDir: join(options.dataDir, 'nats'),
    port: options.port,
    password: options.password,
    env: options.env,
    onProgress: options.show,
    signal: options.signal,
  });
  await supervisor.start(program);
  return url;
}

function natsServers(given: string): string[] {
  try {
    return parseNatsUrl(given).servers.map((server) => `nats://${server}`);
  } catch (cause) {
    throw new StartError(`NATS_URL ${cause instanceof Error ? cause.message : 'is malformed'}`, { cause });
  }
}

/** Throws `StartError` unless something listens where one of the URLs points to. They may hold passwords. */
async function mustAnswer(variable: string, urls: string[], defaultPort: string): Promise<void> {
  await Promise.any(urls.map((url) => reach(variable, url, defaultPort))).catch((error: AggregateError) => {
    throw error.errors[0];
  });
}

async function reach(variable: string, given: string, defaultPort: string): Promise<void> {
  const url = URL.parse(given);
  if (!url?.hostname) throw new StartError(`${variable} is not a URL`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || defaultPort);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMsMax) });
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : 'no answer';
    throw new StartError(`${variable}: nothing can be reached at ${host}:${port} (${reason})`);
  } finally {
    socket.destroy();
  }
}
