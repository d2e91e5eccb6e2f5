import { expect, test, vi } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { repeat, restAfter } from './schedule.ts';

const logger = createLogger('test', 'silent');
const never = 2 ** 31 - 1;

test('a wake during a run starts another one afterwards, never two at a time', async () => {
  let runs = 0;
  let running = 0;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const third = Promise.withResolvers<void>();
  await using schedule = repeat('test', never, logger, async () => {
    running += 1;
    expect(running).toBe(1);
    await gates[runs]?.promise;
    runs += 1;
    running -= 1;
    if (runs === 3) third.resolve();
  });
  schedule.wake();
  schedule.wake();
  gates[0]?.resolve();
  gates[1]?.resolve();
  await expect.poll(() => runs).toBe(2);
  schedule.wake();
  await third.promise;
  expect(runs).toBe(3);
});

test('a run with more work is followed at once', async () => {
  let runs = 0;
  await using _ = repeat('test', never, logger, async () => {
    runs += 1;
    return runs < 5;
  });
  await expect.poll(() => runs).toBe(5);
});

test('a run that returns a delay is followed after that delay', async () => {
  const startedAt: number[] = [];
  await using _ = repeat('test', never, logger, async () => {
    startedAt.push(performance.now());
    return startedAt.length === 1 ? 49.5 : never;
  });
  await expect.poll(() => startedAt).toHaveLength(2);
  const [first = 0, second = 0] = startedAt;
  expect(second - first).toBeGreaterThanOrEqual(49);
});

test('a failed run is retried', async () => {
  let runs = 0;
  await using _ = repeat('test', 1, logger, async () => {
    runs += 1;
    if (runs < 3) throw new Error('not yet');
  });
  await expect.poll(() => runs).toBeGreaterThanOrEqual(3);
});

test('a failure is a warning once a run has succeeded, and not before at the start', async () => {
  const own = createLogger('test', 'silent');
  const warned = vi.spyOn(own, 'warn');
  const outcomes = [new Error('another service is not up'), undefined, new Error('a fault')];
  await using _ = repeat('test', 1, own, async () => {
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
  });
  await expect.poll(() => warned.mock.calls).toHaveLength(1);
  expect(warned.mock.calls).toMatchObject([[{ err: { message: 'a fault' }, failures: 1 }, 'run failed']]);
});

test('disposing aborts the run and waits for it', async () => {
  const begun = Promise.withResolvers<void>();
  let ended = false;
  const schedule = repeat('test', never, logger, async (signal) => {
    begun.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    ended = true;
  });
  await begun.promise;
  await schedule[Symbol.asyncDispose]();
  expect(ended).toBe(true);
});

test('after a pass that leaves something comes a rest, until the signal', async () => {
  const { signal } = new AbortController();
  const startedAtMs = performance.now();
  expect(await restAfter(signal, async () => true)).toBe(true);
  // A timer may be a millisecond early.
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(998);
  expect(await restAfter(AbortSignal.abort(), async () => true)).toBe(true);
});
