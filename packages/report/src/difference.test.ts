import { changesBetween } from '@parley/bot/changes';
import { expect, test } from 'vitest';
import { differenceRows, wayOf } from './difference.ts';

const step = (id: string, text = 'What?') => ({ id, kind: 'ask', text });

test('the bot comes before its steps, in the order of the new definition, with the removed ones last', () => {
  const before = { name: 'A', steps: [step('a'), step('b'), step('c'), step('d')] };
  const after = { name: 'B', steps: [step('b'), step('a', 'Who?'), step('d'), step('e')] };
  const rows = differenceRows(changesBetween(before, after));
  expect(rows.map(({ stepId, change, places }) => [stepId, change, places])).toEqual([
    [undefined, 'changed', undefined],
    ['b', 'moved', [2, 1]],
    ['a', 'changed', [1, 2]],
    ['e', 'added', undefined],
    ['c', 'removed', undefined],
  ]);
  expect(rows[0]?.values).toEqual([{ path: 'name', before: 'A', after: 'B' }]);
  expect(differenceRows(changesBetween(before, before))).toEqual([]);
});

test('a way ends at its end step, where it stops, or because it was closed', () => {
  const words = { closed: 'closed', stopped: { 'no-answer': 'no answer', refused: 'refused' } };
  const course = { stepIds: ['a', 'b'], endStepId: 'bye', stopped: null };
  expect(wayOf(course, words)).toEqual(['a', 'b', 'bye']);
  expect(wayOf({ ...course, endStepId: null }, words)).toEqual(['a', 'b', 'closed']);
  expect(wayOf({ ...course, endStepId: null, stopped: { stepId: 'b', reason: 'refused' } }, words)).toEqual([
    'a',
    'b',
    'refused',
  ]);
});
