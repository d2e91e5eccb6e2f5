import { setImmediate } from 'node:timers/promises';
import { unavailable } from '@parley/runtime/errors';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { eventually } from '@parley/testing/eventually';
import { expect, test, vi } from 'vitest';
import { followDatabaseClock } from './database-clock.ts';

const logger = createLogger('gateway', 'silent');
const aheadMs = 20 * 60_000;

test('the clock of a process that is ahead follows the database', async () => {
  const getTime = async () => ({ now: new Date(Date.now() - aheadMs) });
  await using clock = followDatabaseClock({ getTime }, logger);
  await eventually(() => expect(Math.abs(clock.nowMs() - (Date.now() - aheadMs))).toBeLessThan(10_000));
});

test.each([
  ['of an unavailable service', unavailable(undefined), 0],
  ['with a fault, which is logged', new Error('no'), 1],
])('without an answer %s it is the clock of the process', async (_, fault, warnings) => {
  const warned = vi.spyOn(logger, 'warn');
  let asked = 0;
  const getTime = async () => {
    asked += 1;
    throw fault;
  };
  await using clock = followDatabaseClock({ getTime }, logger);
  await eventually(() => expect(asked).toBeGreaterThan(0));
  expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(10_000);
  // The end of the run is reported in the same turn of the event loop.
  await setImmediate();
  expect(warned).toHaveBeenCalledTimes(warnings);
  warned.mockRestore();
});
