import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Nats, startNats } from '@parley/local/nats';
import { freePort } from '@parley/local/ports';
import { getContainerRuntimeClient } from 'testcontainers';
import { inject } from 'vitest';
import { natsContainer } from './containers.ts';
import { temporaryFolder } from './folders.ts';

/** A broker of one test file. It keeps its address over a stop and a start. */
export interface PrivateNats extends AsyncDisposable {
  url: string;
  stop(): Promise<void>;
  /** Starts it again, with `wipe` as if its disk had been lost. */
  start(options?: { wipe?: boolean }): Promise<void>;
}

/** Starts a NATS server with JetStream that no other test uses. */
export async function startPrivateNats(): Promise<PrivateNats> {
  return inject('broker') === 'container' ? containedNats() : embeddedNats();
}

async function embeddedNats(): Promise<PrivateNats> {
  const folder = await temporaryFolder('nats');
  const port = await freePort();
  const options = { dataDir: join(folder.path, 'data'), port };
  let server: Nats | undefined = await startNats(options);
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

async function containedNats(): Promise<PrivateNats> {
  const port = await freePort();
  const { container: engine } = await getContainerRuntimeClient();
  let started = await natsContainer(port).start();
  // By the engine: `started.stop()` does nothing from its second time on.
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
      started = await natsContainer(port).start();
    },
    [Symbol.asyncDispose]: remove,
  };
}
