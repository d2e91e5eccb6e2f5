import { join } from 'node:path';
import { startSystem, type System, type SystemOptions } from '@parley/local/system';
import { GenericContainer, Wait } from 'testcontainers';
import { engineAnswers, startPostgresContainer } from './containers.ts';
import { temporaryFolder } from './folders.ts';
import { images } from './images.ts';

/** Retries of a webhook delivery in tests: soon enough to wait for. */
export const retryScheduleSeconds: readonly number[] = [0.2, 0.2, 0.3, 0.5, 1, 1, 1, 1, 1, 1];

/**
 * The whole service with its own data, which goes away with it. Postgres and NATS are containers where an engine answers,
 * unless the test wants `restartable` ones, which the run starts and watches itself.
 */
export async function startTestSystem(
  options: Partial<Pick<SystemOptions, 'replicas' | 'webhookRetryScheduleSeconds' | 'env'>> & {
    restartable?: boolean;
  } = {},
): Promise<System> {
  const { restartable = false, ...systemOptions } = options;
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder('system'));
  const servers = !restartable && (await engineAnswers()) ? await startServers(stack) : {};
  const system = stack.use(
    await startSystem({
      dataDir: join(folder.path, 'data'),
      ephemeral: true,
      webhookRetryScheduleSeconds: retryScheduleSeconds,
      ...systemOptions,
      env: { ...process.env, ...servers, ...options.env },
    }),
  );
  return { ...system, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function startServers(stack: AsyncDisposableStack): Promise<{ DATABASE_URL: string; NATS_URL: string }> {
  const nats = await new GenericContainer(images.nats)
    .withCommand(['-js'])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  stack.defer(async () => {
    await nats.stop();
  });
  return {
    DATABASE_URL: await startPostgresContainer(stack),
    NATS_URL: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
  };
}
