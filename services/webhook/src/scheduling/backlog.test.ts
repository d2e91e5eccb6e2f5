import { expect, test } from 'vitest';
import { backlogOf, type DueLane } from './backlog.ts';

const second = 1_000;
const nowMs = 1_000 * second;

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

test('the backlog is as old as the oldest delivery that could be sent, and counts what waits', () => {
  const none = () => undefined;
  expect(backlogOf([], none, nowMs)).toEqual({ oldestDueSeconds: 0, openBreakers: 0, pausedLanes: 0 });
  const found = [
    due('w-1', nowMs - 7 * second),
    due('w-2', nowMs + 60 * second),
    due('w-3', nowMs - 500 * second, { pausedUntilMs: nowMs + 60 * second }),
    due('w-4', nowMs - 900 * second, { openings: 2, pausedUntilMs: nowMs - second }),
    due('w-5', nowMs - 6 * second, { pausedUntilMs: nowMs - second }),
  ];
  expect(backlogOf(found, none, nowMs)).toEqual({ oldestDueSeconds: 7, openBreakers: 1, pausedLanes: 1 });
});
