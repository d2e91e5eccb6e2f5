import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer of the receiver. `hang` keeps the connection open without an answer. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** A webhook receiver that records its requests in order. */
export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:port/hook` */
  url: string;
  requests: ReceivedRequest[];
}

/** Starts a receiver on a free loopback port. Without `respond` it answers 200. */
export async function startReceiver(
  respond: (request: ReceivedRequest, index: number) => Answer | Promise<Answer> = () => ({ status: 200 }),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks) };
      const index = requests.push(received) - 1;
      const answering = async (): Promise<Answer> => respond(received, index);
      void answering()
        .catch((error: unknown): Answer => ({ status: 500, body: String(error) }))
        .then((answer) => {
          if (answer === 'hang') return;
          response.writeHead(answer.status, answer.headers).end(answer.body);
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
