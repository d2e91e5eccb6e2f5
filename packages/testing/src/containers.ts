import { getContainerRuntimeClient, GenericContainer, Wait } from 'testcontainers';
import { images } from './images.ts';

/** Whether a container engine answers here. */
export async function engineAnswers(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** Starts Postgres in a container that ends with the stack. Answers its superuser's URL. */
export async function startPostgresContainer(stack: AsyncDisposableStack): Promise<string> {
  const container = await new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: 'parley' })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    // The server starts twice: once for its own set-up.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  stack.defer(async () => {
    await container.stop();
  });
  return `postgres://postgres:parley@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
}
