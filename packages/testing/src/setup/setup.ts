import { buildBrowserFiles } from '@parley/local/browser-files';
import type { TestProject } from 'vitest/node';
import { chooseServers, type ServerSource, startPostgresContainer } from '../servers/containers.ts';
import { startOwnPostgres } from '../servers/own-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the Postgres that the run shares. */
    adminUrl: string;
    /** The source of brokers. */
    broker: ServerSource;
  }
}

/**
 * Starts one Postgres for the tests of all projects that have this setup, in a container if possible, else embedded.
 * Builds the files that the gateway serves to browsers.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const contexts = project.vitest.projects.map((other) => other.getProvidedContext());
  const running = contexts.find(({ adminUrl }) => adminUrl);
  if (running) {
    for (const key of ['adminUrl', 'broker'] as const) project.provide(key, running[key]);
    return undefined;
  }
  await using started = new AsyncDisposableStack();
  const say = (line: string): void => console.error(`integration ${line}`);
  await buildBrowserFiles(say);
  const source = await chooseServers(say);
  const start = source === 'container' ? startPostgresContainer : embeddedPostgres;
  project.provide('broker', source);
  project.provide('adminUrl', await start(started));
  const stack = started.move();
  return () => stack.disposeAsync();
}

async function embeddedPostgres(stack: AsyncDisposableStack): Promise<string> {
  return stack.use(await startOwnPostgres('postgres')).url;
}
