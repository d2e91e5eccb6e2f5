import { expect, test } from 'vitest';
import { historyOf } from './history.ts';

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
