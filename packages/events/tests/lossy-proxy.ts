import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy for a NATS server that loses the first subscription of a consumer. */
export interface LossyProxy extends AsyncDisposable {
  url: string;
  /** How many subscriptions were lost. */
  readonly lost: number;
}

// The client's own answers have subjects with a wildcard; a consumer's end in a number.
const consumerSubscription = /SUB (_INBOX\.\w+\.1) /;

/** Starts a proxy for the server at `url`, which drops all messages to that subscription. */
export async function startLossyProxy(url: string): Promise<LossyProxy> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.once('close', () => sockets.delete(socket)));
    pipeline(upstream, client, () => client.destroy());
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      const isFirst = lost === 0 && consumerSubscription.test(text);
      if (isFirst) lost += 1;
      upstream.write(isFirst ? text.replace(consumerSubscription, 'SUB lost.$1 ') : text, 'latin1');
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
