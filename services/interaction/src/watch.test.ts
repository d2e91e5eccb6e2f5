import { createLogger } from '@parley/runtime/logger';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Known, startWatch } from './watch.ts';

const logger = createLogger('test', 'silent');
const never = new AbortController().signal;
const row = (id: string, version = 1): Known => ({ workspaceId: 'w', id, version });
const inSeconds = (seconds: number): number => Date.now() + seconds * 1_000;

/** Rows by id with their versions, and every question that was asked about them. */
function rows(versions: Record<string, number>) {
  const questions: Known[][] = [];
  const findChanged = async (known: Known[]) => {
    questions.push(known);
    return known.flatMap(({ id, version }) => {
      const now = versions[id] ?? version;
      return now === version ? [] : [{ id, version: now }];
    });
  };
  return { versions, questions, findChanged };
}

/** Whether the promise has settled by now. */
async function settled(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a watch', () => {
  it('ends the wait within a tick after the row has changed', async () => {
    const { versions, findChanged } = rows({ a: 1 });
    using watch = startWatch({ findChanged, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await settled(wait)).toBe(false);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(250);
    expect(await settled(wait)).toBe(true);
  });

  it('ends the wait when the time is over, though the question does not come back', async () => {
    using watch = startWatch({ findChanged: () => new Promise(() => {}), logger });
    const wait = watch.changed(row('a'), inSeconds(1), never);
    await vi.advanceTimersByTimeAsync(900);
    expect(await settled(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(350);
    expect(await settled(wait)).toBe(true);
  });

  it('is woken at once by a change of its own process, and not by one that it knows', async () => {
    using watch = startWatch({ findChanged: rows({}).findChanged, logger });
    const old = watch.changed(row('a', 1), inSeconds(20), never);
    const current = watch.changed(row('a', 2), inSeconds(20), never);
    const other = watch.changed(row('b', 1), inSeconds(20), never);
    watch.wake('a', 2);
    expect(await settled(old)).toBe(true);
    expect(await settled(current)).toBe(false);
    expect(await settled(other)).toBe(false);
  });

  it('forgets who has gone', async () => {
    const { questions, findChanged } = rows({});
    using watch = startWatch({ findChanged, logger });
    const caller = new AbortController();
    const wait = watch.changed(row('a'), inSeconds(20), caller.signal);
    caller.abort();
    expect(await settled(wait)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(questions).toEqual([]);
    expect(await settled(watch.changed(row('a'), inSeconds(20), caller.signal))).toBe(true);
  });

  it('asks only while somebody waits', async () => {
    const { questions, findChanged } = rows({});
    using watch = startWatch({ findChanged, logger });
    await vi.advanceTimersByTimeAsync(5_000);
    const wait = watch.changed(row('a'), inSeconds(1), never);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settled(wait)).toBe(true);
    expect(questions).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks one question for all, and never two at a time', async () => {
    let asked = 0;
    let answer = (): void => {};
    const findChanged = (known: Known[]) => {
      asked += known.length;
      return new Promise<Known[]>((resolve) => {
        answer = () => resolve(known.map((one) => ({ ...one, version: 2 })));
      });
    };
    using watch = startWatch({ findChanged, logger });
    const waits = Array.from({ length: 2_000 }, (_, n) =>
      watch.changed(row(`row ${n}`), inSeconds(20), never),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toBe(2_000);
    answer();
    await Promise.all(waits);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on after a question that failed', async () => {
    const { versions, findChanged } = rows({ a: 1 });
    let failures = 2;
    using watch = startWatch({
      findChanged: async (known) => {
        if (failures-- > 0) throw new Error('the database is away');
        return findChanged(known);
      },
      logger,
    });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(500);
    expect(await settled(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(250);
    expect(await settled(wait)).toBe(true);
  });

  it('ends every wait when it is disposed of, and later ones at once', async () => {
    const watch = startWatch({ findChanged: rows({}).findChanged, logger });
    const waits = [
      watch.changed(row('a'), inSeconds(20), never),
      watch.changed(row('b'), inSeconds(20), never),
    ];
    watch[Symbol.dispose]();
    await Promise.all(waits);
    await watch.changed(row('a'), inSeconds(20), never);
    expect(vi.getTimerCount()).toBe(0);
  });
});
