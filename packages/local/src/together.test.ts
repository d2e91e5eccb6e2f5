import { expect, test, vi } from 'vitest';
import { together } from './together.ts';

test('the failure that came first is told at once, and thrown when everything has ended', async () => {
  const slow = Promise.withResolvers<string>();
  const broken = Promise.withResolvers<string>();
  const failed = vi.fn(() => slow.reject(new Error('it was ended')));
  const done = vi.fn();
  const all = together([slow.promise, broken.promise, slow.promise.finally(done)], failed);
  broken.reject(new Error('no luck'));
  await expect(all).rejects.toThrow('no luck');
  expect(failed).toHaveBeenCalledOnce();
  expect(done).toHaveBeenCalledOnce();
});

test('without a failure it answers what each has answered', async () => {
  const failed = vi.fn();
  await expect(together([Promise.resolve(1), Promise.resolve('two')], failed)).resolves.toEqual([1, 'two']);
  expect(failed).not.toHaveBeenCalled();
});
