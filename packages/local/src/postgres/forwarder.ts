import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

const host = '127.0.0.1';

/** An address that leads to one server after another. */
export interface Forwarder extends Disposable {
  /** Cuts all connections. New ones go to this port of 127.0.0.1; undefined rejects them. */
  leadTo(port: number | undefined): void;
}

/** Listens on a port of 127.0.0.1, and rejects all connections until it leads to a server. */
export async function startForwarder(port: number): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const join = (one: Socket, other: Socket): void => {
    sockets.add(one);
    one.setNoDelay(true);
    one.on('error', () => {});
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  };
  const server = createServer((client) => {
    if (target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, host);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    leadTo: (next) => {
      target = next;
      cut();
    },
    [Symbol.dispose]: () => {
      server.close();
      cut();
    },
  };
}
