import { expect, test } from 'vitest';
import { en } from '../../texts/en/en.ts';
import { lostConditions, valueWords } from './conditions.ts';

/** A definition with a question that has these choices, and an end after the choice of l. */
const withChoices = (...values: string[]) => ({
  schemaVersion: 1,
  key: 'cups',
  name: 'Cups',
  type: 'Feedback',
  steps: [
    {
      id: 'size',
      kind: 'ask',
      text: 'Which size?',
      input: { type: 'choice', choices: values.map((value) => ({ value, label: value })) },
      next: [{ if: "answers.size == 'l'", goto: 'bye' }, { else: 'bye' }],
    },
    { id: 'bye', kind: 'end', text: 'Bye' },
  ],
});

test('a condition whose choice the newer definition lacks is lost, and no other', () => {
  const before = withChoices('s', 'l');
  expect(lostConditions(before, withChoices('s', 'm'))).toMatchObject([{ pointer: '/steps/0/next/0/if' }]);
  expect(lostConditions(before, withChoices('l', 's', 'm'))).toEqual([]);
});

test('conditions, ways, kinds and types are said in words, and all else is left', () => {
  const say = valueWords(withChoices('s', 'l'), en, 'en');
  expect(say('next.0.if', "answers.size == 'l'")).toBe('“Which size?” is “l”');
  expect(say('next.0.if', 'size(answers.size) > 3')).toBe('size(answers.size) > 3');
  expect(say('next.1.else', 'bye')).toBe('2. Bye');
  expect(say('kind', 'ask')).toBe('Question');
  expect(say('input.type', 'choice')).toBe('One choice of several');
  expect(say('required', false)).toBe('No');
  expect(say('text', 'Which size?')).toBeUndefined();
  expect(valueWords('nothing', en, 'en')('next.0.goto', 'bye')).toBeUndefined();
});
