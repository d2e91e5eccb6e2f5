import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats } from '@parley/local/processes/nats';
import { freePort } from '@parley/local/ports';
import type { Server } from '@parley/local/processes/program';
import { temporaryFolder } from '../setup/folders.ts';

/** A cluster of three embedded brokers. */
export interface NatsCluster extends AsyncDisposable {
  /** All addresses. */
  url: string;
  stop(number: 1 | 2 | 3): Promise<void>;
  /** Starts a server that was stopped, with `wipe` without its data. */
  start(number: 1 | 2 | 3, options?: { wipe?: boolean }): Promise<void>;
}

/** Starts three servers that form a cluster. The cluster elects its leader within seconds afterwards. */
export async function startNatsCluster(): Promise<NatsCluster> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(await temporaryFolder('nats-cluster'));
  const taken = new Set<number>();
  const choosePort = async (): Promise<number> => {
    const port = await freePort(taken);
    taken.add(port);
    return port;
  };
  const ports: number[] = [];
  const routePorts: number[] = [];
  while (ports.length < 3) {
    ports.push(await choosePort());
    routePorts.push(await choosePort());
  }
  const servers = new Map<number, Server>();
  const dataDirOf = (number: number): string => join(folder.path, `nats-${number}`);
  const start = async (number: number): Promise<void> => {
    const [port = 0, routePort = 0] = [ports[number - 1], routePorts[number - 1]];
    const peerPorts = routePorts.filter((other) => other !== routePort);
    const cluster = { routePort, peerPorts, password: 'of-a-test' };
    const options = { name: `nats-${number}`, dataDir: dataDirOf(number), port, cluster };
    servers.set(number, await startNats(options));
  };
  const stop = async (number: number): Promise<void> => {
    await servers.get(number)?.stop();
    servers.delete(number);
  };
  starting.defer(async () => {
    await Promise.all([1, 2, 3].map(stop));
  });
  await Promise.all([1, 2, 3].map(start));
  const stack = starting.move();
  return {
    url: ports.map((port) => `nats://127.0.0.1:${port}`).join(','),
    stop,
    start: async (number, { wipe = false } = {}) => {
      if (wipe) await rm(dataDirOf(number), { recursive: true, force: true });
      await start(number);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
