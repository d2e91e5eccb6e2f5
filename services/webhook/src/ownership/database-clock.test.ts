import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts';

const minute = 60_000;

/** Expects the clock to be ahead of the monotonic one by so much. */
function expectAhead(clock: DatabaseClock, aheadMs: number): void {
  const beforeMs = performance.now();
  const nowMs = clock.nowMs();
  const afterMs = performance.now();
  expect(nowMs).toBeGreaterThanOrEqual(aheadMs + beforeMs - 0.001);
  expect(nowMs).toBeLessThanOrEqual(aheadMs + afterMs + 0.001);
}

test('between two readings the time of the database goes on', () => {
  const clock = createDatabaseClock();
  clock.read(50_000, 20_000);
  expectAhead(clock, 30_000);
});

test('a database clock that is set forward is followed at once', () => {
  const clock = createDatabaseClock();
  clock.read(50_000, 20_000);
  clock.read(51_000 + 60 * minute, 21_000);
  expectAhead(clock, 30_000 + 60 * minute);
});

test('a database clock that is set back by up to ten minutes is passed over, by more it is followed', () => {
  const clock = createDatabaseClock();
  clock.read(50 * minute, 0);
  clock.read(40 * minute, 0);
  expectAhead(clock, 50 * minute);
  clock.read(40 * minute - 1, 0);
  expectAhead(clock, 40 * minute - 1);
});

test('before the first reading nothing is due', () => {
  expect(createDatabaseClock().nowMs()).toBe(Number.NEGATIVE_INFINITY);
});

test('it never goes back, whatever is read within ten minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 * minute }), { minLength: 1 }), (aheadMs) => {
      const clock = createDatabaseClock();
      let lastMs = Number.NEGATIVE_INFINITY;
      for (const ms of aheadMs) {
        clock.read(ms, 0);
        const nowMs = clock.nowMs();
        expect(nowMs).toBeGreaterThanOrEqual(lastMs);
        lastMs = nowMs;
      }
      expectAhead(clock, Math.max(...aheadMs));
    }),
  );
});
