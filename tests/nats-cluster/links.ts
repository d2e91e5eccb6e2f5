import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { NatsRoute } from '@parley/local/processes/servers';

/** The links between the servers of a cluster, each through a proxy. */
export interface Links extends AsyncDisposable {
  route: NatsRoute;
  /** Cuts the links of one server to all others. */
  cut(name: string): void;
  /** Lets all servers connect again. */
  restore(): void;
}

interface Link {
  ends: readonly [from: string, to: string];
  sockets: Set<Socket>;
}

/** Creates the proxies as the servers ask for them. */
export function createLinks(): Links {
  const links: Link[] = [];
  const servers: Server[] = [];
  const isolated = new Set<string>();
  const isCut = ({ ends }: Link): boolean => ends.some((end) => isolated.has(end));
  const end = ({ sockets }: Link): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    route: async (from, to, routePort) => {
      const link: Link = { ends: [from, to], sockets: new Set() };
      links.push(link);
      const server = createServer((client) => {
        if (isCut(link)) return client.destroy();
        const upstream = connect(routePort, '127.0.0.1');
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          link.sockets.add(one);
          one
            .on('error', () => {})
            .once('close', () => {
              link.sockets.delete(one);
              other.destroy();
            });
          one.pipe(other);
        }
        return undefined;
      });
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    },
    cut: (name) => {
      isolated.add(name);
      links.filter(isCut).forEach(end);
    },
    restore: () => isolated.clear(),
    [Symbol.asyncDispose]: async () => {
      links.forEach(end);
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}
