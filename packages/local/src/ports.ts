import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const host = '127.0.0.1';

// Below the ranges of the ports of outgoing connections on Linux (32768 up) and macOS (49152 up).
const firstPort = 20_000;
const lastPort = 29_999;

/** Returns a port of 127.0.0.1 where nothing listens, and which no outgoing connection will use. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port between ${firstPort} and ${lastPort}`);
}

/** Returns whether a server could listen on this port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Returns whether `host:port` accepts a connection and, if given, sends the greeting. False after two
 * seconds.
 */
export function isReachable(address: string, greeting?: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, '')).setTimeout(2_000);
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => settle(false));
    if (greeting === undefined) socket.once('connect', () => settle(true));
    else socket.once('data', (bytes) => settle(bytes.toString().includes(greeting)));
  });
}
