import { expect, test } from 'vitest';
import { runInParts } from './in-parts.ts';

/** Work of so many slices, each of which takes longer than a part. */
function* work(slices: number, done: number[] = []): Generator<void, string> {
  for (let slice = 0; slice < slices; slice += 1) {
    const endsAt = performance.now() + 10;
    while (performance.now() < endsAt);
    done.push(slice);
    yield;
  }
  return 'result';
}

test('what is due meanwhile runs between two parts', async () => {
  const done: number[] = [];
  const working = runInParts(work(4, done));
  setTimeout(() => done.push(-1));
  expect(await working).toBe('result');
  // The next part may be due before it.
  expect(done.indexOf(-1)).toBeLessThan(3);
});

test('work that is ended goes no further', async () => {
  const done: number[] = [];
  const ended = new AbortController();
  const working = runInParts(work(3, done), ended.signal);
  ended.abort();
  expect(await working).toBeUndefined();
  expect(done).toEqual([0]);
});
