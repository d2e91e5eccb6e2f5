import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A question: nothing is answered at once, `until` when that many requests have come in all. */
export interface ReceiverQuestion {
  until?: number;
  /** So many requests of black holes are answered from now on, before they turn black. */
  answersOfHoles?: number;
}

/** The answer to every question. */
export interface ReceiverState {
  port: number;
  /** Requests that were answered. */
  count: number;
  /** Those that nobody will answer. */
  swallowed: number;
  /** Since the last query: `webhook-id` and when its headers were here, in milliseconds of `monotonicMs`. */
  arrivals: [id: string, atMs: number][];
}

// Listens on every address of the loopback network, so that one process is many receivers. `/hook` answers 200, and
// `/hole` never answers unless it is told to. The processor time of this process is not measured.
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
// Nothing here may end a connection that the sender wants to keep, or that is to hang.
server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;

function idOf(request: IncomingMessage): string {
  return String(request.headers['webhook-id'] ?? '');
}

/** The same clock for all processes of the machine. */
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
