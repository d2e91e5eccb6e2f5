import { join } from 'node:path';
import { startSystem, type System, type SystemOptions } from '@parley/local/system';
import { chooseServers, natsContainer, startPostgresContainer } from './containers.ts';
import { temporaryFolder } from './folders.ts';

/** A system of a test. */
export interface TestSystem extends System {
  /** Where everything that it keeps is, the logs of its processes in `logs` included. */
  dataDir: string;
}

/** Retries of a webhook delivery in tests: soon enough to wait for. */
export const retryScheduleSeconds: readonly number[] = [0.2, 0.2, 0.3, 0.5, 1, 1, 1, 1, 1, 1];

/** The model of whoever runs the tests is none of theirs. */
const noModel = { LLM_BASE_URL: '', LLM_API_KEY: '', LLM_MODEL: '', LLM_TIMEOUT_MS: '' };

/**
 * The whole service with its own data, which goes away with it. Postgres and NATS are containers where an engine can run
 * them, unless the test wants `restartable` ones, which the run starts and watches itself. `announce` is told which.
 */
export async function startTestSystem(
  options: Partial<
    Pick<SystemOptions, 'replicas' | 'webhookRetryScheduleSeconds' | 'env' | 'show' | 'adapt'>
  > & {
    restartable?: boolean;
    announce?: (line: string) => void;
  } = {},
): Promise<TestSystem> {
  const { restartable = false, announce, ...systemOptions } = options;
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder('system'));
  const inContainers = !restartable && (await chooseServers(announce)) === 'container';
  const servers = inContainers ? await startServers(started) : {};
  const dataDir = join(folder.path, 'data');
  const system = started.use(
    await startSystem({
      dataDir,
      ephemeral: true,
      webhookRetryScheduleSeconds: retryScheduleSeconds,
      ...systemOptions,
      env: { ...process.env, ...noModel, ...servers, ...options.env },
    }),
  );
  const stack = started.move();
  return { ...system, dataDir, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function startServers(
  stack: AsyncDisposableStack,
): Promise<{ DATABASE_URL: string; NATS_URL: string }> {
  const nats = stack.use(await natsContainer().start());
  return {
    DATABASE_URL: await startPostgresContainer(stack),
    NATS_URL: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
  };
}
