import { join } from 'node:path';
import { startSystem, type System, type SystemOptions } from '@parley/local/system';
import { chooseServers, natsContainer, startPostgresContainer } from '../servers/containers.ts';
import { temporaryFolder } from './folders.ts';

/** Retries of a webhook delivery in tests. */
export const retryScheduleSeconds: readonly number[] = [0.2, 0.2, 0.3, 0.5, 1, 1, 1, 1, 1, 1];

/** Tests ignore the model and the sign-in provider in the environment. */
const ignored = {
  LLM_BASE_URL: '',
  LLM_API_KEY: '',
  LLM_MODEL: '',
  LLM_TIMEOUT_MS: '',
  OIDC_ISSUER: '',
  OIDC_CLIENT_ID: '',
  OIDC_CLIENT_SECRET: '',
  OIDC_GROUP_ROLES: '',
};

/**
 * Starts the whole system. Its disposal removes the data. Postgres and NATS run in containers if an engine is
 * available. `restartable` ones are embedded. Calls `announce` with the choice.
 */
export async function startTestSystem(
  options: Partial<Omit<SystemOptions, 'dataDir' | 'ephemeral' | 'port' | 'signal'>> & {
    restartable?: boolean;
    announce?: (line: string) => void;
  } = {},
): Promise<System> {
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
      env: { ...process.env, ...ignored, ...servers, ...options.env },
    }),
  );
  const stack = started.move();
  return { ...system, [Symbol.asyncDispose]: () => stack.disposeAsync() };
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
