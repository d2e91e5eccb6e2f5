import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { randomGapMs } from '../statistics.ts';

/** A constant number of operations in flight, or operations that start at random moments. */
export type Load = { inFlight: number } | { perSecond: number };

/** The request for a turn of a worker. */
export interface Turn {
  load: Load;
  seconds: number;
}

/** How often the work was done, and the microseconds of processor time that this process has used for it. */
export interface Work {
  count: number;
  cpuUs: number;
}

/**
 * Makes this process a worker: `begin` gets the first message and returns the function of a turn; every later message
 * is a turn. Ends with its parent.
 */
export async function answerTurns<Start, T extends Turn>(
  begin: (start: Start) => Promise<(turn: T) => Promise<Work>>,
): Promise<void> {
  process.on('disconnect', () => process.exit());
  const [start] = (await once(process, 'message')) as [Start];
  const take = await begin(start);
  process.on('message', (turn: T) => void take(turn).then((work) => process.send?.(work)));
  process.send?.('ready');
}

/** Runs the work repeatedly under the load. A failure of it ends the process. */
export async function workUnder({ load, seconds }: Turn, run: () => Promise<unknown>): Promise<Work> {
  let count = 0;
  const counted = async (): Promise<void> => {
    await run();
    count += 1;
  };
  const before = usedUs();
  const endsAt = performance.now() + seconds * 1_000;
  if ('inFlight' in load) await keepInFlight(load.inFlight, endsAt, counted);
  else await beginAtRandom(load.perSecond, endsAt, counted);
  return { count, cpuUs: usedUs() - before };
}

/** Returns the microseconds of processor time that this process has used. */
export function usedUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function keepInFlight(inFlight: number, endsAt: number, run: () => Promise<void>): Promise<void> {
  const repeat = async (): Promise<void> => {
    for (let n = 1; performance.now() < endsAt; n += 1) {
      await run();
      // Work that never waits would block the event loop.
      if (n % 1_000 === 0) await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, repeat));
}

async function beginAtRandom(perSecond: number, endsAt: number, run: () => Promise<void>): Promise<void> {
  const begun: Promise<void>[] = [];
  for (let at = performance.now(); at < endsAt; ) {
    at += randomGapMs(perSecond);
    await delay(Math.max(0, at - performance.now()));
    begun.push(run());
  }
  await Promise.all(begun);
}
