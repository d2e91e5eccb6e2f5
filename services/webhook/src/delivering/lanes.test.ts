import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabaseClock } from '../ownership/database-clock.ts';
import type { Tables } from '../schema.ts';
import type { DueLane } from './lane-store.ts';
import { openLanes } from './lanes.ts';

const second = 1_000;

/** Lanes of a database without rows, at this time. */
function lanesAt(nowMs: number) {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const clock = createDatabaseClock();
  clock.read(nowMs, performance.now());
  const ownership = { replicaId: 'r', of: () => ({ epoch: 1, seizedAtMs: null }) };
  return openLanes({ db, clock, ownership, onClose: () => {} });
}

const due = (webhookId: string, dueAtMs: number, of: Partial<DueLane> = {}): DueLane => ({
  webhookId,
  workspaceId: 'a',
  dueAtMs,
  revision: 1,
  isActive: true,
  openings: 0,
  pausedUntilMs: null,
  ...of,
});

test('each instant that is expected of a webhook is taken once, when it has come', () => {
  const lanes = lanesAt(0);
  lanes.expect('w-1', 300);
  lanes.expect('w-1', 100);
  lanes.expect('w-2', 150);
  expect(lanes.nextExpectedMs()).toBe(100);
  expect(lanes.takeExpected(99)).toEqual([]);
  expect(lanes.takeExpected(100)).toEqual(['w-1']);
  expect(lanes.nextExpectedMs()).toBe(150);
  expect(lanes.takeExpected(300)).toEqual(['w-1', 'w-2']);
  expect(lanes.takeExpected(1_000)).toEqual([]);
  expect(lanes.nextExpectedMs()).toBe(Number.POSITIVE_INFINITY);
});

test('what a scan finds is expected, except of webhooks that are not active', () => {
  const lanes = lanesAt(0);
  lanes.found([due('w-1', 50), due('w-2', 60, { isActive: false }), due('w-3', 900)]);
  expect(lanes.takeExpected(100)).toEqual(['w-1']);
  expect(lanes.nextExpectedMs()).toBe(900);
});

test('the backlog is as old as the oldest delivery that could be sent, and counts what waits', () => {
  const nowMs = 1_000 * second;
  const lanes = lanesAt(nowMs);
  expect(lanes.backlog()).toEqual({ oldestDueSeconds: 0, openBreakers: 0, pausedLanes: 0 });
  lanes.found([
    due('w-1', nowMs - 7 * second),
    due('w-2', nowMs + 60 * second),
    due('w-3', nowMs - 500 * second, { pausedUntilMs: nowMs + 60 * second }),
    due('w-4', nowMs - 900 * second, { openings: 2, pausedUntilMs: nowMs - second }),
    due('w-5', nowMs - 6 * second, { pausedUntilMs: nowMs - second }),
  ]);
  const { oldestDueSeconds, ...counts } = lanes.backlog();
  expect(oldestDueSeconds).toBeCloseTo(7, 0);
  expect(counts).toEqual({ openBreakers: 1, pausedLanes: 1 });
});
