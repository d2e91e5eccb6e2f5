import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Order, orders } from './order.ts';

/** Switches the telemetry of running services, which keep a connection to it. */
export interface Switch extends AsyncDisposable {
  /** The flags of Node for a service. */
  nodeFlags: readonly string[];
  /** Switches all services, and waits until each has done it. Throws unless this many are connected. */
  turn(to: Order, services: number): Promise<void>;
}

/** Opens a switch of a module of `packages/runtime` on a free loopback port. */
export async function openSwitch(module: 'telemetry' | 'metrics'): Promise<Switch> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const preload = pathToFileURL(resolve(import.meta.dirname, 'preload.ts'));
  preload.search = `module=${module}&port=${(server.address() as AddressInfo).port}`;
  return {
    nodeFlags: ['--import', preload.href],
    turn: async (to, services) => {
      if (sockets.size !== services) throw new Error(`${sockets.size} services are connected to the switch`);
      await Promise.all(
        [...sockets].map(async (socket) => {
          // A service that ends instead never answers.
          const done = once(socket, 'data', { signal: AbortSignal.timeout(turnMsMax) });
          socket.write(Uint8Array.of(orders[to]));
          await done;
        }),
      );
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const turnMsMax = 10_000;
