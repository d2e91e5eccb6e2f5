import { quantile, randomGapMs } from '../measure/statistics.ts';
import { openConnection } from './connection.ts';
import type { Slice, SliceResult } from './protocol.ts';

// The load process: runs the slices that its parent requests, one at a time.
process.on('disconnect', () => process.exit(0));
process.on('message', (slice: Slice) => {
  void run(slice).then((result) => process.send?.(result));
});

const faultsKept = 1;

interface Book {
  latenciesMs: number[];
  faults: string[];
  faultCount: number;
}

/** A connection that records the outcome of each of its calls. */
interface Caller {
  call(request: string): void;
  close(): void;
}

async function run(slice: Slice): Promise<SliceResult> {
  const book: Book = { latenciesMs: [], faults: [], faultCount: 0 };
  const startedAt = performance.now();
  const endsAt = startedAt + slice.seconds * 1000;
  const { connections, callsPerSecond = 0 } = slice;
  if (connections === undefined) await openLoop(slice, callsPerSecond, endsAt, book);
  else await closedLoop(slice, connections, endsAt, book);
  const seconds = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(book.latenciesMs).sort();
  return {
    calls: sorted.length,
    seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    faults: book.faults,
    faultCount: book.faultCount,
  };
}

/** Makes as many calls as possible over this many connections. */
function closedLoop(slice: Slice, connections: number, endsAt: number, book: Book): Promise<void> {
  const next = requestsOf(slice);
  return new Promise((done) => {
    let open = connections;
    const end = (): void => {
      open -= 1;
      if (open === 0) done();
    };
    const sendNext = (caller: Caller): void => {
      const request = performance.now() < endsAt ? next() : undefined;
      if (request !== undefined) return caller.call(request);
      caller.close();
      end();
    };
    for (let number = 0; number < connections; number += 1) {
      sendNext(openCaller(slice.port, book, { whenFree: sendNext, whenBroken: end }));
    }
  });
}

/**
 * Makes calls at moments that do not depend on the answers: exponential gaps, with a new connection whenever none is
 * free.
 */
function openLoop(slice: Slice, callsPerSecond: number, endsAt: number, book: Book): Promise<void> {
  const next = requestsOf(slice);
  const gapMs = (): number => randomGapMs(callsPerSecond);
  return new Promise((done) => {
    const free: Caller[] = [];
    let busy = 0;
    let hasEnded = false;
    let dueAt = performance.now() + gapMs();
    const endWhenAnswered = (): void => {
      if (!hasEnded || busy > 0) return;
      for (const caller of free) caller.close();
      done();
    };
    const whenFree = (caller: Caller): void => {
      busy -= 1;
      free.push(caller);
      endWhenAnswered();
    };
    const whenBroken = (caller: Caller): void => {
      const index = free.indexOf(caller);
      if (index >= 0) return void free.splice(index, 1);
      busy -= 1;
      endWhenAnswered();
    };
    const sendDue = (): void => {
      for (const now = performance.now(); dueAt <= now && !hasEnded; dueAt += gapMs()) {
        const request = dueAt < endsAt ? next() : undefined;
        if (request === undefined) hasEnded = true;
        else {
          busy += 1;
          const caller = free.pop() ?? openCaller(slice.port, book, { whenFree, whenBroken });
          caller.call(request);
        }
      }
      if (hasEnded) endWhenAnswered();
      else setTimeout(sendDue, Math.max(1, dueAt - performance.now()));
    };
    sendDue();
  });
}

/** Returns the next request; undefined when there are no more. */
function requestsOf({ requests, isRepeated }: Slice): () => string | undefined {
  let sent = 0;
  return () => {
    if (!isRepeated && sent >= requests.length) return undefined;
    sent += 1;
    return requests[(sent - 1) % requests.length];
  };
}

function openCaller(
  port: number,
  book: Book,
  { whenFree, whenBroken }: { whenFree: (caller: Caller) => void; whenBroken: (caller: Caller) => void },
): Caller {
  let sentAt = 0;
  let isBusy = false;
  const fail = (fault: string): void => {
    book.faultCount += 1;
    if (book.faults.length < faultsKept) book.faults.push(fault);
  };
  const connection = openConnection(port, {
    onAnswer: (status, answer) => {
      isBusy = false;
      book.latenciesMs.push(performance.now() - sentAt);
      if (status < 200 || status > 299) fail(answer.toString('utf8').slice(0, 600));
      whenFree(caller);
    },
    // A server may close an idle connection.
    onBroken: (reason) => {
      if (isBusy) fail(reason);
      whenBroken(caller);
    },
  });
  const caller: Caller = {
    call: (request) => {
      isBusy = true;
      sentAt = performance.now();
      connection.send(request);
    },
    close: connection.close,
  };
  return caller;
}
