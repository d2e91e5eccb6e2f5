import { expect, test } from 'vitest';
import { beginsDay, historyOf, isWithdrawn } from './history.ts';

test('a history has all parts, and none is read of what has not started or is hidden', () => {
  expect(historyOf({ data: null })).toBeUndefined();
  expect(historyOf({ data: '[hidden]' })).toBeUndefined();
  expect(historyOf({ data: '{"evaluation":{"score":"9"}}' })).toEqual({
    evaluation: { score: '9' },
    transcript: [],
    customer_id: '',
    interaction_id: '',
  });
  const row = { data: '{}' };
  expect(historyOf(row)).toBe(historyOf(row));
});

test('the first entry and each first one after midnight begin a day', () => {
  const at = (hours: number, minutes: number) => ({
    timestamp: new Date(2026, 0, 31, hours, minutes).getTime() / 1000,
  });
  expect(beginsDay(at(23, 58), undefined)).toBe(true);
  expect(beginsDay(at(23, 59), at(23, 58))).toBe(false);
  expect(beginsDay(at(24, 0), at(23, 59))).toBe(true);
});

test('an entry is withdrawn if the details have its number', () => {
  const times = { startedAt: null, completedAt: null, updatedAt: '2026-01-31T00:00:00.000Z' };
  const details = { botId: 'b', botVersion: 1, ...times };
  expect([0, 1].map((index) => isWithdrawn({ details: { ...details, withdrawn: [2] } }, index))).toEqual([
    false,
    true,
  ]);
  expect(isWithdrawn({ details }, 0)).toBe(false);
  expect(isWithdrawn({}, 0)).toBe(false);
});
