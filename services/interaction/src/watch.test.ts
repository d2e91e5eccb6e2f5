import { createLogger } from '@parley/runtime/logger';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Known, startWatch } from './watch.ts';

const logger = createLogger('test', 'silent');
const never = new AbortController().signal;
const row = (id: string, version = 1): Known => ({ workspaceId: 'w', id, version });
const inSeconds = (seconds: number): number => Date.now() + seconds * 1_000;

/** Copies that hear each other while `isThere`. */
function town() {
  const listeners: ((news: string) => void)[] = [];
  const said: string[] = [];
  const state = { isThere: true };
  const hearsay = {
    tell: (_subject: string, news: string) => {
      said.push(news);
      if (state.isThere) for (const hear of listeners) hear(news);
    },
    listen: (_subject: string, hear: (news: string) => void) => void listeners.push(hear),
    isConnected: () => state.isThere,
  };
  return { state, said, hearsay };
}

/** Nobody to hear from. */
const alone = { tell: () => {}, listen: () => {}, isConnected: () => false };

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
    using watch = startWatch({ findChanged, hearsay: alone, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await settled(wait)).toBe(false);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(250);
    expect(await settled(wait)).toBe(true);
  });

  it('ends the wait when the time is over, though the question does not come back', async () => {
    using watch = startWatch({ findChanged: () => new Promise(() => {}), hearsay: alone, logger });
    const wait = watch.changed(row('a'), inSeconds(1), never);
    await vi.advanceTimersByTimeAsync(900);
    expect(await settled(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(350);
    expect(await settled(wait)).toBe(true);
  });

  it('is woken at once by a change of its own process, and not by one that it knows', async () => {
    using watch = startWatch({ findChanged: rows({}).findChanged, hearsay: alone, logger });
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
    using watch = startWatch({ findChanged, hearsay: alone, logger });
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
    using watch = startWatch({ findChanged, hearsay: alone, logger });
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
    using watch = startWatch({ findChanged, hearsay: alone, logger });
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
      hearsay: alone,
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
    const watch = startWatch({ findChanged: rows({}).findChanged, hearsay: alone, logger });
    const waits = [
      watch.changed(row('a'), inSeconds(20), never),
      watch.changed(row('b'), inSeconds(20), never),
    ];
    watch[Symbol.dispose]();
    await Promise.all(waits);
    await watch.changed(row('a'), inSeconds(20), never);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('hears at once of a change that another copy has made, and says ids and versions only', async () => {
    const { hearsay, said } = town();
    using here = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    using there = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    const wait = here.changed(row('a'), inSeconds(20), never);
    there.wake('a', 2);
    expect(await settled(wait)).toBe(true);
    expect(said).toEqual(['a 2']);
  });

  it('tells of all that changes at the same moment at once, of each its newest version', async () => {
    const { hearsay, said } = town();
    using here = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    using there = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    const waits = ['a', 'b'].map((id) => here.changed(row(id), inSeconds(20), never));
    there.wake('a', 3);
    there.wake('b', 2);
    there.wake('a', 2);
    for (const wait of waits) expect(await settled(wait)).toBe(true);
    expect(said).toEqual(['a 3\nb 2']);
  });

  it('does not wait for a change that was heard of while the row was read', async () => {
    const { hearsay } = town();
    using here = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    using there = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    there.wake('a', 2);
    expect(await settled(here.changed(row('a', 1), inSeconds(20), never))).toBe(true);
    expect(await settled(here.changed(row('a', 2), inSeconds(20), never))).toBe(false);
  });

  it('asks seldom while it can hear, often while it cannot, and at once when it can again', async () => {
    const { hearsay, state } = town();
    const { questions, findChanged } = rows({});
    using watch = startWatch({ findChanged, hearsay, logger });
    const wait = watch.changed(row('a'), inSeconds(60), never);
    const askedIn = async (ms: number): Promise<number> => {
      const before = questions.length;
      await vi.advanceTimersByTimeAsync(ms);
      return questions.length - before;
    };
    await askedIn(250);
    expect(await askedIn(4_000)).toBe(5);
    state.isThere = false;
    expect(await askedIn(1_000)).toBe(4);
    state.isThere = true;
    expect(await askedIn(250)).toBe(1);
    expect(await askedIn(500)).toBe(0);
    expect(await settled(wait)).toBe(false);
  });

  it('finds what nobody has told of', async () => {
    const { hearsay } = town();
    const { versions, findChanged } = rows({ a: 1 });
    using watch = startWatch({ findChanged, hearsay, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    await vi.advanceTimersByTimeAsync(300);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(2_250);
    expect(await settled(wait)).toBe(true);
  });

  it('is not misled by what is no news', async () => {
    const { hearsay } = town();
    using watch = startWatch({ findChanged: rows({}).findChanged, hearsay, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    for (const news of ['', 'a', 'a x', 'a 2 3', ' 2', 'a -2']) hearsay.tell('', news);
    expect(await settled(wait)).toBe(false);
  });
});
