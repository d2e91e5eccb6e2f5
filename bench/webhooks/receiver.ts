import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A query. It is answered at once, or with `until` when that many requests have arrived in all. */
export interface ReceiverQuestion {
  until?: number;
  /** Black holes answer this many requests from now on, and none after them. */
  answersOfHoles?: number;
}

/** The answer to every query. */
export interface ReceiverState {
  port: number;
  /** Requests that were answered. */
  count: number;
  /** Requests that will not be answered. */
  swallowed: number;
  /** Since the last query: `webhook-id` and the arrival of its headers, in milliseconds of `monotonicMs`. */
  arrivals: [id: string, atMs: number][];
}

// Listens on every loopback address, so that one process is many receivers. `/hook` answers 200, and `/hole` never
// answers by default. The processor time of this process is not measured.
process.on('disconnect', () => process.exit());

let count = 0;
let swallowed = 0;
let arrivals: ReceiverState['arrivals'] = [];
let waiting: number | undefined;
let answersOfHoles = 0;

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith('/hole')) {
    if (answersOfHoles === 0) {
      swallowed += 1;
      return;
    }
    answersOfHoles -= 1;
  }
  if (request.url?.startsWith('/timed')) arrivals.push([idOf(request), monotonicMs()]);
  request.once('end', () => {
    response.writeHead(200, { 'content-length': 2 }).end('ok');
    count += 1;
    if (waiting !== undefined && count >= waiting) answer();
  });
});
// This server must not close a connection that the sender keeps, or that should hang.
server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;

function idOf(request: IncomingMessage): string {
  return String(request.headers['webhook-id'] ?? '');
}

/** The clock that all processes of the machine share. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function answer(): void {
  waiting = undefined;
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, count, swallowed, arrivals } satisfies ReceiverState);
  arrivals = [];
}

server.listen(0, '0.0.0.0', 4_096, () => {
  process.on('message', ({ until, answersOfHoles: asked }: ReceiverQuestion) => {
    answersOfHoles = asked ?? answersOfHoles;
    if (until === undefined || count >= until) answer();
    else waiting = until;
  });
});
