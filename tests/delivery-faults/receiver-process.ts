import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, plannedAnswer } from './answers.ts';
import type { Entry, Order, Report, Trap } from './receiver.ts';

// The receivers of a run, in their own process: no fault affects them, and they kill a worker at the right moment.

const seed = Number(process.argv[2]);
const entries: Entry[] = [];
const disturbed = new Map<string, { how: 'late' | 'cut'; untilMs: number }>();
/** The answers of held paths after their release. Before it, the first request waits. */
const held = new Map<string, PromiseWithResolvers<number> & { isTaken: boolean; status?: number }>();
let trap: Trap | undefined;

function report(message: Report): void {
  process.send?.(message);
}

/** Whether the worker of this request was killed. */
function spring(moment: Trap['moment'], { pathname, searchParams }: URL): boolean {
  if (trap?.moment !== moment || held.has(pathname)) return false;
  const worker = [...searchParams.keys()].find((name) => trap?.pids[name] !== undefined);
  if (worker === undefined) return false;
  try {
    process.kill(trap.pids[worker] ?? Number.NaN, 'SIGKILL');
  } catch {
    // It died for another reason: the trap waits for the next one.
    return false;
  }
  trap = undefined;
  report({ what: 'sprung' });
  return true;
}

async function answerFor(entry: Entry): Promise<Answer> {
  const hold = held.get(entry.path);
  if (hold) {
    if (hold.status !== undefined) return { status: hold.status, afterMs: 0 };
    if (hold.isTaken) return { status: 500, afterMs: 200 };
    hold.isTaken = true;
    report({ what: 'held', path: entry.path });
    return { status: await hold.promise, afterMs: 0 };
  }
  const disturbance = disturbed.get(entry.path);
  if (disturbance && Date.now() < disturbance.untilMs) {
    if (disturbance.how === 'cut') return { cut: 'after' };
    return { status: 200, afterMs: 500 + (entries.length % 10) * 250 };
  }
  return plannedAnswer(seed, entry.path, entry.messageId, String(entry.attempt));
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const url = new URL(request.url ?? '/', 'http://receiver');
  const entry: Entry = {
    path: url.pathname,
    deliveryId: header('x-parley-delivery-id'),
    messageId: header('webhook-id'),
    attempt: Number(header('x-parley-attempt')),
    digest: null,
    answer: 'cut',
    answeredAtMs: null,
  };
  entries.push(entry);
  const answer = await answerFor(entry);
  if ('cut' in answer && answer.cut === 'before') return void request.socket.destroy();
  entry.digest = createHash('sha1')
    .update(await buffer(request))
    .digest('base64');
  if (spring('arrival', url) || 'cut' in answer) return void request.socket.destroy();
  await delay(answer.afterMs);
  if (response.destroyed) return;
  response.once('finish', () => {
    entry.answer = answer.status;
    entry.answeredAtMs = Date.now();
    spring('answer', url);
  });
  response.writeHead(answer.status).end('noted');
}

const server = createServer((request, response) => {
  // The sender has disconnected during the request.
  receive(request, response).catch(() => request.socket.destroy());
});

process.on('message', (order: Order) => {
  if (order.what === 'trap') trap = order.trap;
  if (order.what === 'disturb') {
    disturbed.set(order.path, { how: order.how, untilMs: Date.now() + order.forMs });
  }
  if (order.what === 'hold') held.set(order.path, { ...Promise.withResolvers(), isTaken: false });
  if (order.what === 'release') {
    const hold = held.get(order.path);
    if (hold) hold.status = order.status;
    hold?.resolve(order.status);
  }
  if (order.what === 'take') report({ what: 'entries', entries: entries.splice(0) });
});
process.on('disconnect', () => process.exit(0));
// A terminal sends the signal to this process too; the run ends it after its workers.
process.on('SIGINT', () => {});

server.listen(0, '127.0.0.1', () =>
  report({ what: 'listening', port: (server.address() as AddressInfo).port }),
);
