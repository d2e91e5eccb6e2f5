import { join } from 'node:path';
import { startPostgres } from '@parley/local/postgres';
import { getContainerRuntimeClient, GenericContainer, Wait } from 'testcontainers';
import type { TestProject } from 'vitest/node';
import { temporaryFolder } from './folders.ts';
import { images } from './images.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the Postgres that the run shares. */
    adminUrl: string;
    /** Where brokers come from. */
    broker: 'container' | 'embedded';
  }
}

/** One Postgres for the whole run: a container where an engine answers, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = new AsyncDisposableStack();
  const inContainers = await engineAnswers();
  console.error(inContainers ? 'tests use containers' : 'tests use the embedded Postgres and NATS');
  project.provide('broker', inContainers ? 'container' : 'embedded');
  project.provide('adminUrl', inContainers ? await containedPostgres(stack) : await embeddedPostgres(stack));
  return () => stack.disposeAsync();
}

async function engineAnswers(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

async function containedPostgres(stack: AsyncDisposableStack): Promise<string> {
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

async function embeddedPostgres(stack: AsyncDisposableStack): Promise<string> {
  const folder = stack.use(await temporaryFolder('postgres'));
  const postgres = stack.use(await startPostgres({ dataDir: join(folder.path, 'data'), durable: false }));
  return postgres.url;
}
