import { createLogger } from '@parley/runtime/telemetry/logger';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecentVersions, type Known, Watch } from './watch.ts';

const logger = createLogger('test', 'silent');
const never = new AbortController().signal;
const row = (id: string, version = 1): Known => ({ workspaceId: 'w', id, version });
const inSeconds = (seconds: number): number => Date.now() + seconds * 1_000;

/** Broadcasts that reach all replicas while `isThere`. */
function network() {
  const listeners: ((news: string) => void)[] = [];
  const sent: string[] = [];
  const state = { isThere: true };
  const broadcasts = {
    broadcast: (_subject: string, news: string) => {
      sent.push(news);
      if (state.isThere) for (const onMessage of listeners) onMessage(news);
    },
    subscribe: (_subject: string, onMessage: (news: string) => void) => void listeners.push(onMessage),
    isConnected: () => state.isThere,
  };
  return { state, sent, broadcasts };
}

/** Broadcasts without another replica. */
const alone = { broadcast: () => {}, subscribe: () => {}, isConnected: () => false };

/** Rows by id with their versions, and the reads of them. */
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

/** Returns whether the promise has settled by now. */
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
    using watch = new Watch({ findChanged, broadcasts: alone, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await settled(wait)).toBe(false);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(250);
    expect(await settled(wait)).toBe(true);
  });

  it('ends the wait at its time limit although the read hangs', async () => {
    using watch = new Watch({ findChanged: () => new Promise(() => {}), broadcasts: alone, logger });
    const wait = watch.changed(row('a'), inSeconds(1), never);
    await vi.advanceTimersByTimeAsync(900);
    expect(await settled(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(350);
    expect(await settled(wait)).toBe(true);
  });

  it('ends the wait at once after a change in its own process, but not for a known version', async () => {
    using watch = new Watch({ findChanged: rows({}).findChanged, broadcasts: alone, logger });
    const old = watch.changed(row('a', 1), inSeconds(20), never);
    const current = watch.changed(row('a', 2), inSeconds(20), never);
    const other = watch.changed(row('b', 1), inSeconds(20), never);
    watch.wake('a', 2);
    expect(await settled(old)).toBe(true);
    expect(await settled(current)).toBe(false);
    expect(await settled(other)).toBe(false);
  });

  it('ends the wait of an aborted call', async () => {
    const { questions, findChanged } = rows({});
    using watch = new Watch({ findChanged, broadcasts: alone, logger });
    const caller = new AbortController();
    const wait = watch.changed(row('a'), inSeconds(20), caller.signal);
    caller.abort();
    expect(await settled(wait)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(questions).toEqual([]);
    expect(await settled(watch.changed(row('a'), inSeconds(20), caller.signal))).toBe(true);
  });

  it('reads only while a call waits', async () => {
    const { questions, findChanged } = rows({});
    using watch = new Watch({ findChanged, broadcasts: alone, logger });
    await vi.advanceTimersByTimeAsync(5_000);
    const wait = watch.changed(row('a'), inSeconds(1), never);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settled(wait)).toBe(true);
    expect(questions).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reads all rows at once, and never concurrently', async () => {
    let asked = 0;
    let answer = (): void => {};
    const findChanged = (known: Known[]) => {
      asked += known.length;
      return new Promise<Known[]>((resolve) => {
        answer = () => resolve(known.map((one) => ({ ...one, version: 2 })));
      });
    };
    using watch = new Watch({ findChanged, broadcasts: alone, logger });
    const waits = Array.from({ length: 2_000 }, (_, n) =>
      watch.changed(row(`row ${n}`), inSeconds(20), never),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toBe(2_000);
    answer();
    await Promise.all(waits);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('continues after a failed read', async () => {
    const { versions, findChanged } = rows({ a: 1 });
    let failures = 2;
    using watch = new Watch({
      findChanged: async (known) => {
        if (failures-- > 0) throw new Error('the database is unavailable');
        return findChanged(known);
      },
      broadcasts: alone,
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
    const watch = new Watch({ findChanged: rows({}).findChanged, broadcasts: alone, logger });
    const waits = [
      watch.changed(row('a'), inSeconds(20), never),
      watch.changed(row('b'), inSeconds(20), never),
    ];
    watch[Symbol.dispose]();
    await Promise.all(waits);
    await watch.changed(row('a'), inSeconds(20), never);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('receives changes of other replicas at once, as ids and versions only', async () => {
    const { broadcasts, sent } = network();
    using here = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    using there = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    const wait = here.changed(row('a'), inSeconds(20), never);
    there.wake('a', 2);
    expect(await settled(wait)).toBe(true);
    expect(sent).toEqual(['a 2']);
  });

  it('broadcasts concurrent changes in one message, with the newest version of each', async () => {
    const { broadcasts, sent } = network();
    using here = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    using there = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    const waits = ['a', 'b'].map((id) => here.changed(row(id), inSeconds(20), never));
    there.wake('a', 3);
    there.wake('b', 2);
    there.wake('a', 2);
    for (const wait of waits) expect(await settled(wait)).toBe(true);
    expect(sent).toEqual(['a 3\nb 2']);
  });

  it('does not wait for a change that was announced while the row was read', async () => {
    const { broadcasts } = network();
    using here = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    using there = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    there.wake('a', 2);
    expect(await settled(here.changed(row('a', 1), inSeconds(20), never))).toBe(true);
    expect(await settled(here.changed(row('a', 2), inSeconds(20), never))).toBe(false);
  });

  it('reads rarely while connected, often while not, and at once after a reconnect', async () => {
    const { broadcasts, state } = network();
    const { questions, findChanged } = rows({});
    using watch = new Watch({ findChanged, broadcasts, logger });
    const wait = watch.changed(row('a'), inSeconds(60), never);
    const readsIn = async (ms: number): Promise<number> => {
      const before = questions.length;
      await vi.advanceTimersByTimeAsync(ms);
      return questions.length - before;
    };
    await readsIn(250);
    expect(await readsIn(4_000)).toBe(5);
    state.isThere = false;
    expect(await readsIn(1_000)).toBe(4);
    state.isThere = true;
    expect(await readsIn(250)).toBe(1);
    expect(await readsIn(500)).toBe(0);
    expect(await settled(wait)).toBe(false);
  });

  it('finds a change without a broadcast', async () => {
    const { broadcasts } = network();
    const { versions, findChanged } = rows({ a: 1 });
    using watch = new Watch({ findChanged, broadcasts, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    await vi.advanceTimersByTimeAsync(300);
    versions['a'] = 2;
    await vi.advanceTimersByTimeAsync(2_250);
    expect(await settled(wait)).toBe(true);
  });

  it('ignores malformed messages', async () => {
    const { broadcasts } = network();
    using watch = new Watch({ findChanged: rows({}).findChanged, broadcasts, logger });
    const wait = watch.changed(row('a'), inSeconds(20), never);
    for (const news of ['', 'a', 'a x', 'a 2 3', ' 2', 'a -2']) broadcasts.broadcast('', news);
    expect(await settled(wait)).toBe(false);
  });
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('keeps the highest version for its time, and then evicts it', async () => {
  const recent = createRecentVersions(1_000);
  recent.add('a', 3);
  recent.add('a', 2);
  await vi.advanceTimersByTimeAsync(999);
  recent.add('b', 1);
  await vi.advanceTimersByTimeAsync(999);
  recent.add('c', 1);
  expect([recent.get('a'), recent.get('b'), recent.get('never')]).toEqual([3, 1, 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  recent.add('d', 1);
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([0, 0, 1]);
});
