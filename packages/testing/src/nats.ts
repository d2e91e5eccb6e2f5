import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Nats, startNats } from '@parley/local/nats';
import { freePort } from '@parley/local/ports';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { inject } from 'vitest';
import { cacheDir, temporaryFolder } from './folders.ts';
import { images } from './images.ts';

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
  const options = { dataDir: join(folder.path, 'data'), binDir: join(cacheDir, 'bin'), port };
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
  const launch = (): Promise<StartedTestContainer> =>
    new GenericContainer(images.nats)
      .withCommand(['-js', '-sd', '/data'])
      .withExposedPorts({ container: 4222, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
      .start();
  let container: StartedTestContainer | undefined = await launch();
  let stopped = false;
  return {
    url: `nats://${container.getHost()}:${port}`,
    stop: async () => {
      stopped = true;
      await container?.stop({ remove: false });
    },
    start: async ({ wipe = false } = {}) => {
      if (wipe) {
        await container?.stop({ remove: true });
        container = await launch();
      } else if (stopped) {
        await container?.restart();
      }
      stopped = false;
    },
    [Symbol.asyncDispose]: async () => {
      await container?.stop({ remove: true });
      container = undefined;
    },
  };
}
