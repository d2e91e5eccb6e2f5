import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A way to a NATS server on which a subscription gets lost. */
export interface DeafProxy extends AsyncDisposable {
  url: string;
  /** How many have. */
  readonly lost: number;
}

/** Those for the answers to requests have a wildcard, those for the messages of a consumer end in a number. */
const subscriptions = { answers: /SUB (_INBOX\.\w+\.\*) /, messages: /SUB (_INBOX\.\w+\.1) / };

/** Starts one before the server at `url`: what the server sends to the first subscription of that kind, nobody gets. */
export async function startDeafProxy(url: string, kind: keyof typeof subscriptions): Promise<DeafProxy> {
  const subscription = subscriptions[kind];
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.once('close', () => sockets.delete(socket)));
    pipeline(upstream, client, () => client.destroy());
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      const isFirst = lost === 0 && subscription.test(text);
      if (isFirst) lost += 1;
      upstream.write(isFirst ? text.replace(subscription, 'SUB lost.$1 ') : text, 'latin1');
    });
    client.once('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lost() {
      return lost;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
