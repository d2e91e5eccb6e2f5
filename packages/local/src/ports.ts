import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

// Below the ranges from which Linux (32768 up) and macOS (49152 up) take the ports of outgoing connections.
const firstPort = 20_000;
const lastPort = 29_999;

/** A port of 127.0.0.1 that nothing listens on and that no outgoing connection will take. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port between ${firstPort} and ${lastPort}`);
}

/** Whether something could listen on this port of the host now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
