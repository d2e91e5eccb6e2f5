import { once } from 'node:events';
import net from 'node:net';

interface Proxy extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  url: string;
  /** Stops all traffic without closing connections. */
  freeze(): void;
  /** Stops the traffic of the open connections without closing them. New ones work. */
  freezeOpen(): void;
  /** Cuts frozen connections; new ones work. */
  thaw(): void;
}

/** A proxy for the database that can stop responding. */
export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let frozenSockets = new Set<net.Socket>();
  let isFrozen = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!isFrozen && !frozenSockets.has(from)) to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true;
    },
    freezeOpen: () => {
      frozenSockets = new Set(sockets);
    },
    thaw: () => {
      isFrozen = false;
      cut();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
    },
  };
}
