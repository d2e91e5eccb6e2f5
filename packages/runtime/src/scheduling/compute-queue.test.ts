import { afterEach, expect, test, vi } from 'vitest';
import { createComputeQueue } from './compute-queue.ts';
import { inWork } from './work.ts';

afterEach(() => {
  vi.useRealTimers();
});

const compute = createComputeQueue('test');
const spin = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('the event loop turns between two pieces of work, and tenants take turns', async () => {
  const order: string[] = [];
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const run = (tenant: string) =>
    inWork({ tenant, signal: undefined }, () =>
      compute(() => {
        spin(2);
        order.push(`${tenant}${turns}`);
      }),
    );
  await Promise.all([run('a'), run('a'), run('a'), run('b')]);
  isDone = true;
  expect(order.map((one) => one[0]).join('')).toBe('abaa');
  expect(new Set(order.map((one) => one.slice(1))).size).toBe(4);
});

test('an error of the work rejects, and the next piece runs', async () => {
  const failing = compute(() => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  await expect(compute(() => 1)).resolves.toBe(1);
});

test('short work runs at once when nothing waits', async () => {
  // So that no piece takes longer than short work does.
  vi.useFakeTimers({ toFake: ['performance'] });
  const order: number[] = [];
  setImmediate(() => order.push(0));
  for (const n of [1, 2, 3]) await compute(() => order.push(n));
  expect(order).toEqual([1, 2, 3]);
});

test('after work that the machine held up, the queue rests for a tenth of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  await compute(() => vi.advanceTimersByTime(3_000));
  let isRun = false;
  const next = compute(() => {
    isRun = true;
  });
  vi.advanceTimersByTime(99);
  await Promise.resolve();
  expect(isRun).toBe(false);
  vi.advanceTimersByTime(1);
  await next;
});
