import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats } from '@parley/local/processes/nats';
import { freePort } from '@parley/local/ports';
import type { Server } from '@parley/local/processes/program';
import { getContainerRuntimeClient } from 'testcontainers';
import { inject } from 'vitest';
import { natsContainer } from './containers.ts';
import { temporaryFolder } from '../setup/folders.ts';

/** A broker for one test file. It keeps its address after a restart. */
export interface PrivateNats extends AsyncDisposable {
  url: string;
  stop(): Promise<void>;
  /** Restarts it, with `wipe` without its data. */
  start(options?: { wipe?: boolean }): Promise<void>;
}

interface PrivateNatsOptions {
  /** Further arguments for the server. */
  args?: string[];
  /** Paths of files in the arguments. */
  files?: string[];
}

/** Starts a NATS server with JetStream for one test file. */
export async function startPrivateNats(options: PrivateNatsOptions = {}): Promise<PrivateNats> {
  return inject('broker') === 'container' ? containedNats(options) : embeddedNats(options);
}

async function embeddedNats({ args = [] }: PrivateNatsOptions): Promise<PrivateNats> {
  const folder = await temporaryFolder('nats');
  const port = await freePort();
  const options = { dataDir: join(folder.path, 'data'), port, args };
  let server: Server | undefined = await startNats(options);
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  return {
    url: server.url,
    stop,
    start: async ({ wipe = false } = {}) => {
      await stop();
      if (wipe) await rm(options.dataDir, { recursive: true, force: true });
      server = await startNats(options);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function containedNats({ args, files = [] }: PrivateNatsOptions): Promise<PrivateNats> {
  const port = await freePort();
  const { container: engine } = await getContainerRuntimeClient();
  const copied = files.map((path) => ({ source: path, target: path }));
  const start = () => natsContainer(port, args).withCopyFilesToContainer(copied).start();
  let started = await start();
  // The second call of `started.stop()` has no effect.
  const stop = (): Promise<void> => engine.stop(engine.getById(started.getId()));
  const remove = async (): Promise<void> => {
    await stop();
    await engine.remove(engine.getById(started.getId()));
  };
  return {
    url: `nats://${started.getHost()}:${port}`,
    stop,
    start: async ({ wipe = false } = {}) => {
      if (!wipe) return started.restart();
      await remove();
      started = await start();
    },
    [Symbol.asyncDispose]: remove,
  };
}
