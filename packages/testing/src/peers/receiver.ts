import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Aborts when the sender closes the connection without an answer. */
  givenUp: AbortSignal;
}

/** An answer of the receiver. `hang` keeps the connection open without an answer. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** A webhook receiver that records its requests in order. */
export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:port/hook` */
  url: string;
  requests: ReceivedRequest[];
}

/** Starts a receiver on a free loopback port. Without `respond` it answers 200. */
export async function startReceiver(
  respond: (request: ReceivedRequest, index: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({
    status: 200,
  }),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const answer = async (request: IncomingMessage, givenUp: AbortSignal): Promise<ReceiverAnswer> => {
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: await buffer(request), givenUp };
    return respond(received, requests.push(received) - 1);
  };
  const server = createServer((request, response) => {
    const closed = new AbortController();
    response.once('close', () => {
      if (!response.writableEnded) closed.abort();
    });
    void answer(request, closed.signal)
      .catch((error: unknown): ReceiverAnswer => ({ status: 500, body: String(error) }))
      .then((given) => {
        if (given !== 'hang') response.writeHead(given.status, given.headers).end(given.body);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    [Symbol.asyncDispose]: () => {
      const closed = server[Symbol.asyncDispose]();
      server.closeAllConnections();
      return closed;
    },
  };
}
