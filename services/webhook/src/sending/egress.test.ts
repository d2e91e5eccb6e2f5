import { createLogger } from '@parley/runtime/telemetry/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AttemptResult } from './attempt.ts';
import { egressUp } from '../metrics.ts';
import { OwnFault } from './attempt-error.ts';
import { type Egress, watchEgress } from './egress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const request = {
  origin: 'https://receiver.example',
  path: '/',
  headers: {},
  body: Buffer.of(),
  sendBefore: () => Number.POSITIVE_INFINITY,
};
const refused: AttemptResult = {
  startedAt: new Date(),
  durationMs: 1,
  latency: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
  status: null,
  error: 'refused',
  retryAfter: null,
  excerpt: Buffer.of(),
  isCut: false,
};

/** What may be begun while all goes out, and in an outage. */
const anyNumber = { inMs: 0, most: Number.POSITIVE_INFINITY };
const oneIn = (inMs: number) => ({ inMs, most: 1 });

/** An egress whose attempts end as a test says, when it says so. */
function egressOf() {
  const attempts: PromiseWithResolvers<AttemptResult>[] = [];
  /** Whether it was up, at the start and after each change. */
  const states: boolean[] = [];
  vi.spyOn(egressUp, 'set').mockImplementation((value) => states.push(value === 1));
  let timesBack = 0;
  const egress = watchEgress(
    {
      post: () => {
        const attempt = Promise.withResolvers<AttemptResult>();
        attempts.push(attempt);
        return attempt.promise;
      },
      [Symbol.asyncDispose]: async () => {},
    },
    {
      logger: createLogger('test', 'silent'),
      onBack: () => (timesBack += 1),
    },
  );
  /** Begins an attempt; answers how to end it. */
  const begin = () => {
    const posted = egress.post(request).catch((error: unknown) => error);
    const attempt = attempts.at(-1);
    return {
      fail: async (error: Error = new OwnFault('away')) => {
        attempt?.reject(error);
        expect(await posted).toBe(error);
      },
      succeed: async (result = refused) => {
        attempt?.resolve(result);
        expect(await posted).toBe(result);
      },
    };
  };
  return { egress, begin, states, timesBack: () => timesBack };
}

/** Lets the time pass until a probe may be made; answers how much that was. */
function pass(egress: Egress): number {
  const { inMs: ms } = egress.allowance();
  vi.advanceTimersByTime(ms);
  expect(egress.allowance()).toEqual(oneIn(0));
  return ms;
}

test('a fault on our side begins an outage; delays of probes double from a second to 30', async () => {
  const { egress, begin, states } = egressOf();
  expect(egress.allowance()).toEqual(anyNumber);
  await begin().fail();
  const pauses: number[] = [];
  for (let probe = 1; probe <= 7; probe += 1) {
    pauses.push(pass(egress));
    await begin().fail();
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(states).toEqual([true, false]);
});

test('a probe with any result ends an outage, also a refused connection; the next one starts at a second', async () => {
  const { egress, begin, states, timesBack } = egressOf();
  await begin().fail();
  pass(egress);
  await begin().fail();
  pass(egress);
  await begin().succeed();
  expect(egress.allowance()).toEqual(anyNumber);
  expect(timesBack()).toBe(1);
  await begin().fail();
  expect(egress.allowance()).toEqual(oneIn(1_000));
  expect(states).toEqual([true, false, true, false]);
});

test('a probe that hangs does not keep others from being made', async () => {
  const { egress, begin } = egressOf();
  await begin().fail();
  pass(egress);
  const hanging = begin();
  expect(pass(egress)).toBe(2_000);
  await begin().succeed();
  expect(egress.allowance()).toEqual(anyNumber);
  await hanging.fail();
  expect(egress.allowance()).toEqual(anyNumber);
});

test('an attempt from before an outage neither ends it nor begins another', async () => {
  const { egress, begin, states } = egressOf();
  const [first, second, third] = [begin(), begin(), begin()];
  await first.fail();
  await second.fail();
  await third.succeed();
  expect(egress.allowance()).toEqual(oneIn(1_000));
  expect(states).toEqual([true, false]);
});

test('a blocked address does not end an outage', async () => {
  const { egress, begin, timesBack } = egressOf();
  await begin().fail();
  pass(egress);
  await begin().succeed({ ...refused, error: 'blocked_address' });
  expect(timesBack()).toBe(0);
  expect(egress.allowance()).toEqual(oneIn(2_000));
});

test('attempts that were granted just before do not delay the first probe', async () => {
  const { egress, begin } = egressOf();
  await begin().fail();
  for (let other = 0; other < 70; other += 1) await begin().fail();
  expect(egress.allowance()).toEqual(oneIn(1_000));
});

test('an error that is no fault on our side changes nothing', async () => {
  const { egress, begin, states } = egressOf();
  await begin().fail(new Error('a defect'));
  expect(egress.allowance()).toEqual(anyNumber);
  expect(states).toEqual([true]);
});
