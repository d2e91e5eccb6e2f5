import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type AttemptResult, openSender, type Sender, type SenderOptions } from '../src/sending/attempt.ts';
import { certificate } from './certificate.ts';

/** How long an attempt may take whose end is waited for. */
export const totalTimeoutMs = 1_000;

/** For attempts that are answered: longer than anything that holds a machine up. */
export const patient = { connectTimeoutMs: 10_000, totalTimeoutMs: 20_000 } satisfies Partial<SenderOptions>;

/** A sender as in a local run, unless said otherwise. */
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

/** A server that counts who connects. */
export interface RawServer extends AsyncDisposable {
  /** `127.0.0.1:port` */
  host: string;
  port: number;
  /** All connections that there have been. */
  connections: Socket[];
}

/** A server that answers with `talk`, over TCP, or over TLS with the certificate of the tests. */
export async function rawServer(
  talk: (socket: Socket, received: Buffer) => void,
  { tls, host = '127.0.0.1' }: { tls?: TlsOptions; host?: string } = {},
): Promise<RawServer> {
  const connections: Socket[] = [];
  const accept = (socket: Socket): void => {
    socket.on('error', () => {}).on('data', (received: Buffer) => talk(socket, received));
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

/** Answers each request with a status and nothing else. */
export const answering =
  (status = '200 OK') =>
  (socket: Socket): void => {
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  };

/** Writes the same over and over, as fast as it is taken. */
export function pour(socket: Socket, chunk: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Writes the same now and then until the connection is closed. */
export function drip(socket: Socket, chunk: string): void {
  const dripping = setInterval(() => socket.write(chunk), 20);
  socket.once('close', () => clearInterval(dripping));
}
