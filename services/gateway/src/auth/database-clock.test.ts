import { createLogger } from '@parley/runtime/logger';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { followDatabaseClock } from './database-clock.ts';

const logger = createLogger('gateway', 'silent');
const aheadMs = 20 * 60_000;

test('the clock of a process that is ahead follows the database', async () => {
  const getTime = async () => ({ now: new Date(Date.now() - aheadMs) });
  await using clock = followDatabaseClock({ getTime }, logger);
  await eventually(() => expect(Math.abs(clock.nowMs() - (Date.now() - aheadMs))).toBeLessThan(1_000));
});

test('without an answer it is the clock of the process', async () => {
  let asked = 0;
  const getTime = async () => {
    asked += 1;
    throw new Error('there is no such method');
  };
  await using clock = followDatabaseClock({ getTime }, logger);
  await eventually(() => expect(asked).toBeGreaterThan(0));
  expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(1_000);
});
