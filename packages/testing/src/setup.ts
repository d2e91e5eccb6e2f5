import { join } from 'node:path';
import { startPostgres } from '@parley/local/postgres';
import type { TestProject } from 'vitest/node';
import { engineAnswers, startPostgresContainer } from './containers.ts';
import { temporaryFolder } from './folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the Postgres that the run shares. */
    adminUrl: string;
    /** Where brokers come from. */
    broker: 'container' | 'embedded';
  }
}

/** One Postgres for all integration tests: a container where an engine answers, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = new AsyncDisposableStack();
  const inContainers = await engineAnswers();
  console.error(inContainers ? 'tests use containers' : 'tests use the embedded Postgres and NATS');
  project.provide('broker', inContainers ? 'container' : 'embedded');
  project.provide('adminUrl', inContainers ? await startPostgresContainer(stack) : await embeddedPostgres(stack));
  return () => stack.disposeAsync();
}

async function embeddedPostgres(stack: AsyncDisposableStack): Promise<string> {
  const folder = stack.use(await temporaryFolder('postgres'));
  const postgres = stack.use(await startPostgres({ dataDir: join(folder.path, 'data'), durable: false }));
  return postgres.url;
}
