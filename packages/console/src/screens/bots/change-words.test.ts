import { expect, test } from 'vitest';
import { changesBetween } from '@parley/bot/changes';
import { differenceRows } from '@parley/report/difference';
import { eachValue, ownRows, placeWords, pointerWords, stepText } from './change-words.ts';

const words = {
  text: 'Text',
  choices: 'Choice',
  label: 'label',
  next: 'Way',
  if: 'condition',
  input: 'Answer',
};

test.each([
  ['text', 'Text'],
  ['text.de', 'Text, De'],
  ['input.choices.1.label', 'Choice 2, label'],
  ['next.0.if', 'Way 1, condition'],
  ['input', 'Answer'],
  ['input.maxLength', 'Max length'],
  ['stalledAfterSeconds', 'Stalled after seconds'],
  ['toString', 'To string'],
])('%s is said as %s', (path, said) => expect(placeWords(path, words)).toBe(said));

test('a step is known by what it says, in the language of the reader', () => {
  const definition = {
    locale: 'en',
    steps: [
      { id: 'a', text: 'Hello {{customer.firstName|you}}' },
      { id: 'b', text: { en: 'Why?', de: 'Warum?' } },
      { id: 'c', kind: 'set' },
      { id: 'd', text: 7 },
    ],
  };
  const said = ['a', 'b', 'c', 'd', 'e'].map((id) => stepText(definition, id, 'de'));
  expect(said).toEqual(['Hello ‹first name›', 'Warum?', undefined, undefined, undefined]);
  expect(stepText(undefined, 'a', 'de')).toBeUndefined();
});

test('a value that only one definition has is said member by member', () => {
  const input = { type: 'choice', choices: [{ value: 's', label: { en: 'Small' } }] };
  expect(
    eachValue([
      { path: 'id', after: 'size' },
      { path: 'input', after: input },
      { path: 'next', before: [{ else: 'bye' }] },
      { path: 'evaluation.size', after: {} },
      { path: 'text', before: 'Big?', after: { en: 'Which size?' } },
    ]),
  ).toEqual([
    { path: 'input.type', after: 'choice' },
    { path: 'input.choices.0.value', after: 's' },
    { path: 'input.choices.0.label.en', after: 'Small' },
    { path: 'next.0.else', before: 'bye' },
    { path: 'evaluation.size', after: {} },
    { path: 'text', before: 'Big?', after: { en: 'Which size?' } },
  ]);
});

test('a place in a definition is named by what its step says', () => {
  const definition = {
    steps: [
      { id: 'hi', kind: 'set' },
      { id: 'why', text: 'Why?' },
    ],
  };
  const said = (pointer: string) => pointerWords(definition, pointer, words, 'en');
  expect(said('/steps/1/next/0/if')).toBe('Why? · Way 1, condition');
  expect(said('/steps/0/next/0/if')).toBe('hi · Way 1, condition');
  expect([said('/steps/7/text'), said('/name')]).toEqual(['/steps/7/text', '/name']);
});

test('of two definitions, each has the changes that the other does not make to the same', () => {
  const step = (id: string, text: string) => ({ id, text });
  const [a, b, c] = [step('a', 'A'), step('b', 'B'), step('c', 'C')];
  const before = { name: 'Old', steps: [a, b, c] };
  const one = { name: 'New', steps: [step('a', 'A1'), step('b', 'B1'), c] };
  const other = { name: 'New', steps: [step('a', 'A2'), step('b', 'B1')] };
  const [ofOne, ofOther] = [one, other].map((after) => differenceRows(changesBetween(before, after)));
  expect(ownRows(ofOne ?? [], ofOther ?? [])).toEqual([
    { stepId: 'a', change: 'changed', values: [{ path: 'text', before: 'A', after: 'A1' }] },
  ]);
  expect(ownRows(ofOther ?? [], ofOne ?? [])).toMatchObject([
    { stepId: 'a', values: [{ after: 'A2' }] },
    { stepId: 'c', change: 'removed' },
  ]);
  expect(ownRows(ofOne ?? [], [])).toEqual(ofOne);
  expect(ownRows(ofOne ?? [], ofOne ?? [])).toEqual([]);
});

test('a step that both move to one place has not moved for one of them alone', () => {
  const steps = (...ids: string[]) => ({ steps: ids.map((id) => ({ id })) });
  const before = steps('a', 'b', 'c');
  const [left, right] = [steps('b', 'a', 'c'), steps('b', 'c', 'a')].map((after) =>
    differenceRows(changesBetween(before, after)),
  );
  expect(ownRows(left ?? [], right ?? [])).toMatchObject([{ stepId: 'a', places: [1, 2] }]);
});
