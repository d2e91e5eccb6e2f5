import { expect, test } from 'vitest';
import { checkDefinition, type Mark } from '../../check.ts';
import { adviceOf, fieldsOf, marksByStep, stepOf } from './advice.ts';

const marksOf = (steps: object[]) =>
  checkDefinition(JSON.stringify({ schemaVersion: 1, key: 'k', name: 'n', type: 't', steps })).marks;
const end = { id: 'end', kind: 'end' };

test.each([
  ['empty', '', [{ id: 'a', kind: 'say', text: '' }, end]],
  ['noStep', 'x', [{ id: 'a', kind: 'say', text: 'A', next: 'x' }, end]],
  ['noWay', '', [{ id: 'a', kind: 'say', text: 'A', next: 'end' }, { id: 'b', kind: 'say', text: 'B' }, end]],
  ['noEnd', '', [{ id: 'a', kind: 'say', text: 'A' }]],
  ['forEver', '', [{ id: 'a', kind: 'say', text: 'A', next: 'a' }]],
  ['sameId', '', [{ id: 'end', kind: 'say', text: 'A' }, end]],
  ['noKey', 'k', [{ id: 'a', kind: 'ask', text: 'A', input: { type: 'text' }, evaluation: 'k' }, end]],
  ['noAnswer', 'x', [{ id: 'a', kind: 'say', text: '{{answers.x}}' }, end]],
  ['noContext', 'x', [{ id: 'a', kind: 'say', text: '{{context.x}}' }, end]],
  ['malformed', '{{x}}', [{ id: 'a', kind: 'say', text: '{{x}}' }, end]],
  [
    'expression',
    expect.stringContaining('x'),
    [{ id: 'a', kind: 'say', text: 'A', when: 'answers.x == 1' }, end],
  ],
])('a fault that the service finds has words that say what to do: %s', (advice, name, steps) => {
  expect(marksOf(steps).map(({ message }) => adviceOf(message))).toContainEqual({ advice, name });
});

test('a fault is at its step, and in its field', () => {
  const mark = { pointer: '/steps/12/input/choices/0/label' };
  expect([stepOf(mark), fieldsOf(mark)]).toEqual([12, ['input', 'choices', '0', 'label']]);
  expect(stepOf({ pointer: '/key' })).toBeUndefined();
  expect(adviceOf('Another fault')).toBeUndefined();
});

test('steps whose marks are the same keep them', () => {
  const marks = marksOf([{ id: 'a', kind: 'say', text: '' }, { id: 'b', kind: 'say', text: '' }, end]);
  const first = marksByStep(marks);
  const next = marksByStep(JSON.parse(JSON.stringify(marks.slice(1))) as Mark[], first);
  expect(next[1]).toBe(first[1]);
  expect(next[0]).toEqual([]);
});
