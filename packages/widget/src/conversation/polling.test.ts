import type { SessionClient, Snapshot } from '@parley/client/public';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPolling } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const snapshot = (seq: number): Snapshot => ({
  status: 'InProgress',
  seq,
  entries: [],
  input: null,
  awaiting: null,
  progress: 0,
  expiresAt: null,
  botName: 'Bo',
});

interface Asked {
  after: number | undefined;
  wait: number | undefined;
  signal: AbortSignal | undefined;
  answer: (snapshot: Snapshot) => void;
  refuse: (error: unknown) => void;
}

/** A polling whose calls the test answers. Its received entries count as known. */
function poll({ isGranted = true } = {}) {
  const asked: Asked[] = [];
  const pauses: number[] = [];
  const refusals: unknown[] = [];
  const known = { seq: 0, isActive: true };
  const counts = { notified: 0 };
  const requests: AbortSignal[] = [];
  let wake = (): void => {};
  let grant = (): void => {};
  const client = {
    getConversation: (_, query, options) =>
      new Promise<Snapshot>((answer, refuse) => {
        asked.push({ after: query?.after, wait: query?.wait, signal: options?.signal, answer, refuse });
      }),
  } as Pick<SessionClient, 'getConversation'> as SessionClient;
  const polling = createPolling({
    connection: {
      call: (work) => work(client, 'i'),
      pause: async (ms, signal) => {
        pauses.push(ms);
        if (isGranted || signal.aborted) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      },
      wake: () => wake(),
      notifyTabs: () => (counts.notified += 1),
    },
    page: {
      requestLongPoll: (onGranted, signal) => {
        requests.push(signal);
        grant = onGranted;
        if (isGranted) onGranted();
      },
    },
    isActive: () => known.isActive,
    seq: () => known.seq,
    take: async ({ seq }, signal) => {
      signal.throwIfAborted();
      known.seq = seq;
    },
    onRefused: (error) => refusals.push(error),
  });
  /** Answers the newest call after this time. */
  const answer = async (seq: number, afterMs: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(afterMs);
    asked.at(-1)?.answer(snapshot(seq));
    await vi.advanceTimersByTimeAsync(0);
  };
  const waits = (): unknown[] => asked.map(({ after, wait }) => [after, wait]);
  const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return {
    polling,
    asked,
    pauses,
    refusals,
    known,
    counts,
    held: () => requests.filter(({ aborted }) => !aborted).length,
    answer,
    waits,
    wake: () => {
      wake();
      return flush();
    },
    grant: () => {
      isGranted = true;
      grant();
      return flush();
    },
  };
}

describe('polling a conversation', () => {
  it('first reads without waiting, then long-polls, one call at a time', async () => {
    const { polling, answer, waits, pauses } = poll();
    expect(waits()).toEqual([]);
    polling.restart();
    expect(waits()).toEqual([[0, 0]]);
    await answer(0, 20);
    await answer(2, 20);
    await answer(3, 20);
    expect(waits()).toEqual([
      [0, 0],
      [0, 25],
      [2, 25],
      [3, 25],
    ]);
    expect(pauses).toEqual([]);
  });

  it('pauses for the rest of a second after a poll that returns nothing sooner', async () => {
    const { polling, answer, pauses } = poll();
    polling.restart();
    await answer(2, 0);
    await answer(2, 0);
    await answer(2, 300);
    await answer(2, 25_000);
    await answer(3, 0);
    expect(pauses).toEqual([1_000, 700]);
  });

  it('polls shortly while another page has the long poll, and takes it over at once', async () => {
    const { polling, answer, waits, pauses, wake, grant, counts } = poll({ isGranted: false });
    polling.restart();
    await answer(2, 20);
    expect([waits(), pauses]).toEqual([[[0, 0]], [5_000]]);
    await wake();
    await answer(2, 20);
    expect(pauses).toEqual([5_000, 5_000]);
    await grant();
    await answer(2, 20);
    expect(waits()).toEqual([
      [0, 0],
      [2, 0],
      [2, 25],
      [2, 25],
    ]);
    expect(counts.notified).toBe(0);
  });

  it('notifies other pages of the news of a long poll only', async () => {
    const { polling, answer, counts } = poll();
    polling.restart();
    await answer(2, 20);
    expect(counts.notified).toBe(0);
    await answer(3, 20);
    await answer(3, 20);
    expect(counts.notified).toBe(1);
  });

  it('restarts at once, and aborts the previous call', async () => {
    const { polling, asked, refusals, waits } = poll();
    polling.restart();
    polling.restart();
    expect(asked.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    asked[0]?.answer(snapshot(1));
    asked[0]?.refuse(new Error('aborted'));
    await vi.advanceTimersByTimeAsync(0);
    expect(waits()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    polling.stop();
    expect(asked[1]?.signal?.aborted).toBe(true);
    expect(refusals).toEqual([]);
  });

  it('stops while inactive, and starts again', async () => {
    const { polling, known, answer, waits } = poll();
    polling.restart();
    known.isActive = false;
    await answer(2, 0);
    polling.restart();
    expect(waits()).toEqual([[0, 0]]);
    known.isActive = true;
    polling.restart();
    expect(waits()).toEqual([
      [0, 0],
      [2, 0],
    ]);
  });

  it('releases the long poll when it ends', async () => {
    const { polling, known, answer, held } = poll();
    polling.restart();
    expect(held()).toBe(1);
    known.isActive = false;
    await answer(2, 0);
    expect(held()).toBe(0);
  });

  it('ends when it is rejected, and reports that', async () => {
    const { polling, asked, refusals } = poll();
    polling.restart();
    const refusal = new Error('there is no such conversation');
    asked[0]?.refuse(refusal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refusals).toEqual([refusal]);
    expect(asked).toHaveLength(1);
  });
});
