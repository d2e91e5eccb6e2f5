import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTime, probeWaitMs } from './in-time.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A check whose answers the test gives, in turn. */
function heldCheck() {
  const asked: PromiseWithResolvers<boolean>[] = [];
  const check = (): Promise<boolean> => {
    const one = Promise.withResolvers<boolean>();
    asked.push(one);
    return one.promise;
  };
  return { asked, probe: inTime(check, false) };
}

test('a check that answers at once counts at once, also when it changes', async () => {
  const { asked, probe } = heldCheck();
  for (const answer of [true, false, true]) {
    const answered = probe();
    asked.at(-1)?.resolve(answer);
    expect(await answered).toBe(answer);
  }
  expect(asked).toHaveLength(3);
});

test('a check that hangs is answered in half a second: by its last answer, until that is old', async () => {
  const { asked, probe } = heldCheck();
  const first = probe();
  asked[0]?.resolve(true);
  await first;
  const afterMs = async (ms: number): Promise<boolean> => {
    vi.advanceTimersByTime(ms - probeWaitMs);
    const answered = probe();
    vi.advanceTimersByTime(probeWaitMs);
    return answered;
  };
  expect(await afterMs(2_000)).toBe(true);
  expect(await afterMs(8_000)).toBe(true);
  expect(await afterMs(1_000)).toBe(false);
  // All of these probes share one check.
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(true);
  const resumed = probe();
  asked.at(-1)?.resolve(true);
  expect(await resumed).toBe(true);
});

test('without an answer before, a check that hangs, fails or throws is unknown', async () => {
  const { probe } = heldCheck();
  const answered = probe();
  vi.advanceTimersByTime(probeWaitMs);
  expect(await answered).toBe(false);
  expect(await inTime(async () => Promise.reject(new Error('of a test')), 'unknown')()).toBe('unknown');
});
