import { expect, test } from 'vitest';
import { createSharedCache } from './shared-cache.ts';

test('what was used longest ago is evicted', () => {
  const cache = createSharedCache<number>(30, 30);
  for (const key of ['1', '2', '3']) cache.set('a', key, Number(key), 10);
  expect(cache.get('a', '1')).toBe(1);
  cache.set('b', '4', 4, 10);
  expect(['1', '2', '3'].map((key) => cache.get('a', key))).toEqual([1, undefined, 3]);
});

test('a workspace beyond its share evicts its own values only', () => {
  const cache = createSharedCache<number>(100, 20);
  cache.set('victim', 'only', 1, 10);
  for (let key = 0; key < 1_000; key += 1) cache.set('a', String(key), key, 10);
  expect(cache.get('victim', 'only')).toBe(1);
  expect([996, 997, 998, 999].map((key) => cache.get('a', String(key)))).toEqual([
    undefined,
    undefined,
    998,
    999,
  ]);
});

test('a value that is larger than the share is kept until the next one', () => {
  const cache = createSharedCache<number>(100, 20);
  cache.set('a', 'large', 1, 90);
  expect(cache.get('a', 'large')).toBe(1);
  cache.set('a', 'next', 2, 10);
  expect([cache.get('a', 'large'), cache.get('a', 'next')]).toEqual([undefined, 2]);
});
