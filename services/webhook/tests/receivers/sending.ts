import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import {
  type AttemptResult,
  openSender,
  type Sender,
  type SenderOptions,
} from '../../src/sending/attempt.ts';
import { certificate } from '@parley/testing/peers/certificate';

/** The time limit of an attempt that should time out. */
export const totalTimeoutMs = 1_000;

/** The time limit of attempts that get an answer: longer than any delay of a busy machine. */
export const patient = { connectTimeoutMs: 10_000, totalTimeoutMs: 20_000 } satisfies Partial<SenderOptions>;

/** Returns a sender, by default as in a local run. */
export const sending = (options: Partial<SenderOptions> = {}): Sender =>
  openSender({ allowsPrivate: true, allowedNetworks: [], connectTimeoutMs: 500, totalTimeoutMs, ...options });

/** Makes one attempt. Fails if it has no outcome. */
export async function post(sender: Sender, url: string): Promise<AttemptResult> {
  const { origin, pathname, search } = new URL(url);
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from('{}');
  const sendBefore = () => Number.POSITIVE_INFINITY;
  const result = await sender.post({ origin, path: pathname + search, headers, body, sendBefore });
  if (!result) throw new Error('the attempt was cut off');
  return result;
}

/** A server that counts its connections. */
export interface RawServer extends AsyncDisposable {
  /** `127.0.0.1:port` */
  host: string;
  port: number;
  /** All connections so far. */
  connections: Socket[];
}

/** A server that answers with `respond`, over TCP, or over TLS with the certificate of the tests. */
export async function rawServer(
  respond: (socket: Socket, received: Buffer) => void,
  { tls, host = '127.0.0.1' }: { tls?: TlsOptions; host?: string } = {},
): Promise<RawServer> {
  const connections: Socket[] = [];
  const accept = (socket: Socket): void => {
    socket.on('error', () => {}).on('data', (received: Buffer) => respond(socket, received));
  };
  const server: Server = tls ? createTlsServer({ ...certificate, ...tls }, accept) : createServer(accept);
  server.on('connection', (socket: Socket) => {
    connections.push(socket.on('error', () => {}));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers each request with a status only. */
export const answering =
  (status = '200 OK') =>
  (socket: Socket): void => {
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  };

/** Writes the same text repeatedly, as fast as it is read. */
export function pour(socket: Socket, chunk: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Writes the same text at intervals until the connection closes. */
export function drip(socket: Socket, chunk: string): void {
  const dripping = setInterval(() => socket.write(chunk), 20);
  socket.once('close', () => clearInterval(dripping));
}
