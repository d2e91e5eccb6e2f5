import { expect, test } from 'vitest';
import { restartDelayMs } from './supervisor.ts';

test('the first restart is immediate; the delay of further ones doubles up to five seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000_000].map(restartDelayMs)).toEqual([
    0, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000,
  ]);
});
