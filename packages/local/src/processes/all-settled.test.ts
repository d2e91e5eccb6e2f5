import { expect, test, vi } from 'vitest';
import { allSettledOrThrow } from './all-settled.ts';

test('reports the first failure at once, and throws it when everything has settled', async () => {
  const slow = Promise.withResolvers<string>();
  const broken = Promise.withResolvers<string>();
  const onFailure = vi.fn(() => slow.reject(new Error('ended')));
  const settled = vi.fn();
  const all = allSettledOrThrow([slow.promise, broken.promise, slow.promise.finally(settled)], onFailure);
  broken.reject(new Error('no luck'));
  await expect(all).rejects.toThrow('no luck');
  expect(onFailure).toHaveBeenCalledOnce();
  expect(settled).toHaveBeenCalledOnce();
});

test('returns all results when nothing fails', async () => {
  const onFailure = vi.fn();
  const work = [Promise.resolve(1), Promise.resolve('two')];
  await expect(allSettledOrThrow(work, onFailure)).resolves.toEqual([1, 'two']);
  expect(onFailure).not.toHaveBeenCalled();
});
