import { expect, test } from 'vitest';
import { de } from '../../../../texts/de/de.ts';
import { en } from '../../../../texts/en/en.ts';
import { outlineOf } from '../steps/fields/outline.ts';
import { conditionWords, wayWords } from './way-words.ts';

const choices = [
  { value: 'a', label: 'Apples' },
  { value: 'p', label: 'Pears' },
];
const steps = [
  { id: 'score', kind: 'ask', text: 'How was it?', input: { type: 'nps' } },
  { id: 'fruit', kind: 'ask', text: 'Which fruit?', input: { type: 'choice', choices } },
  { id: 'again', kind: 'ask', text: 'Again?', input: { type: 'yesNo' } },
];
const list = { definition: { context: [{ name: 'shop' }], steps }, steps };
const { values } = outlineOf(en.steps, list);
const way = { from: 0, to: 1, condition: '' };

test('a condition is said as its rows say it, with the words of questions and choices', () => {
  const said = (expression: string, own?: string) => conditionWords(en, expression, values, own);
  expect(said('answers.score >= 9')).toBe('“How was it?” is at least 9');
  expect(said('answers.score >= 9', 'answers.score')).toBe('is at least 9');
  expect(said("answers.fruit == 'p' && has(answers.again)")).toBe(
    '“Which fruit?” is “Pears” and “Again?” was answered',
  );
  expect(said("answers.again || answers.fruit != 'x'", 'answers.again')).toBe(
    '“Yes” or “Which fruit?” is not x',
  );
  expect(said("answers.fruit != 'a'", 'answers.fruit')).toBe('is not “Apples”');
  expect(said("context.shop == 'Rome'")).toBe('Context: Shop is Rome');
  expect(said('answers.unknown < 1.5')).toBe('answers.unknown is less than 1.5');
  expect(said("size(answers.fruit) > 2 && answers.fruit == 'a'")).toBe(
    "size(answers.fruit) > 2 && answers.fruit == 'a'",
  );
  expect(conditionWords(de, 'answers.score <= 6', outlineOf(de.steps, list).values)).toBe(
    '„How was it?“ ist höchstens 6',
  );
});

test('each way says when it is taken', () => {
  const said = (kind: Parameters<typeof wayWords>[1]['kind'], condition = '') =>
    wayWords(en, { ...way, kind, condition }, values, 'score');
  expect(said('next')).toBe('');
  expect(said('if', 'answers.score < 7')).toBe('Is less than 7');
  expect(said('else')).toBe('Otherwise');
  expect(said('skip', 'answers.again')).toBe('Left out');
  expect(said('invalid')).toBe('No valid answer');
  expect(said('failed')).toBe('No answer of the model');
});
