import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { answerBody, evaluationText } from './answer-forms.ts';
import type { LocalText } from '../text/format-text.ts';
import type { InputRule } from './input-rule.ts';
import { readText } from './read-text.ts';

const english = { locale: 'en', ownLocale: 'en' };
const choices = [
  { value: 'confirm', label: "Yes, I'll be there" },
  { value: 'node.js', label: { en: 'Node.js, TypeScript', de: 'Node.js und TypeScript' } },
  { value: 'c', label: 'C' },
];
const yesNo: InputRule = { type: 'yesNo', labels: { yes: 'Yes, please', no: 'Rather not' } };

describe('free text', () => {
  test.each<[InputRule, string, unknown]>([
    [{ type: 'choice', choices }, 'CONFIRM', 'confirm'],
    [{ type: 'choice', choices }, ' yes,  i’ll be there ', 'confirm'],
    [{ type: 'choice', choices }, 'yes ill be there!', 'confirm'],
    [{ type: 'choice', choices }, 'Node.js und TypeScript', 'node.js'],
    [{ type: 'choice', choices }, 'yes', undefined],
    [{ type: 'choice', choices }, '!', undefined],
    [{ type: 'multiChoice', choices }, 'c, Confirm', ['c', 'confirm']],
    [{ type: 'multiChoice', choices }, 'node.js, typescript, c', ['node.js', 'c']],
    [{ type: 'multiChoice', choices }, "C; C\nYes, I'll be there", ['c', 'confirm']],
    [{ type: 'multiChoice', choices }, 'c, d', undefined],
    [{ type: 'multiChoice', choices }, ',', undefined],
    [{ type: 'nps' }, ' 9 ', 9],
    [{ type: 'nps' }, '９', 9],
    [{ type: 'nps' }, 'nine', undefined],
    [{ type: 'nps' }, '٩', 9],
    [{ type: 'rating' }, '४', 4],
    [{ type: 'number' }, '1,200', 1200],
    [{ type: 'number' }, '', undefined],
    [{ type: 'multiChoice', choices, minSelections: 0 }, 'None', []],
    [{ type: 'multiChoice', choices, minSelections: 0 }, 'c, none', undefined],
    [{ type: 'multiChoice', choices }, 'none', undefined],
    [{ type: 'yesNo' }, 'YES!', true],
    [{ type: 'yesNo' }, 'n', false],
    [{ type: 'yesNo' }, 'maybe', undefined],
    [yesNo, 'yes please', true],
    [yesNo, 'rather not.', false],
    [yesNo, 'no', false],
    [{ type: 'date' }, '2026-1-5', '2026-01-05'],
    [{ type: 'date' }, '٢٠٢٦-٠١-٠٥', '2026-01-05'],
    [{ type: 'date' }, 'tomorrow', undefined],
    [{ type: 'time' }, '9:30', '09:30'],
    [{ type: 'time' }, '٩:٣٠', '09:30'],
    [{ type: 'time' }, '12:05 am', '00:05'],
    [{ type: 'time' }, '9.30 PM', '21:30'],
    [{ type: 'time' }, '13:00 pm', undefined],
    [{ type: 'email' }, 'a@b.co', 'a@b.co'],
  ])('%j: %j', (rule, text, expected) => {
    expect(readText(rule, text, english)).toEqual(expected);
  });
});

describe('a choice is matched by the label that the customer reads', () => {
  const choice = (...labels: [value: string, label: LocalText][]): InputRule => ({
    type: 'choice',
    choices: labels.map(([value, label]) => ({ value, label })),
  });
  const sure = choice(['no', 'Not sure'], ['never', 'No']);
  const counts = choice(['0', '1'], ['1', '2'], ['2', '3 or more']);
  const gifts = choice(['gift', { en: 'Gift', de: 'Geschenk' }], ['poison', { en: 'Poison', de: 'Gift' }]);
  const toys = choice(['a', { en: 'Doll', de: 'Puppe' }], ['b', { en: 'Toy', de: 'Doll' }], ['c', 'x']);
  const marks = choice(['plus', 'C+.'], ['bare', 'C+!']);
  const swapped = (yes: string, no: string): InputRule => ({ type: 'yesNo', labels: { yes, no } });
  test.each<[InputRule, string, string, unknown]>([
    [sure, 'en', 'No', 'never'],
    [sure, 'en', 'no!', 'never'],
    [sure, 'en', 'never', 'never'],
    [counts, 'en', '1', '0'],
    [counts, 'en', '2', '1'],
    [counts, 'en', '0', undefined],
    [choice(['5', '5 stars'], ['4', '4 stars']), 'en', '5', '5'],
    [choice(['1', 'One'], ['2', 'Two']), 'en', '2', '2'],
    [gifts, 'de', 'Gift', 'poison'],
    [gifts, 'de-AT', 'gift', 'poison'],
    [gifts, 'en', 'Gift', 'gift'],
    [gifts, 'fr', 'Gift', 'gift'],
    [gifts, 'de', 'Poison', 'poison'],
    [gifts, 'en', 'Geschenk', 'gift'],
    [toys, 'fr', 'Puppe', 'a'],
    [marks, 'en', 'c+!', 'bare'],
    [marks, 'en', 'c+', undefined],
    [swapped('No', 'Yes'), 'en', 'no', true],
    [swapped('No problem', 'Yes, I have one'), 'en', 'yes', undefined],
    [swapped('No problem', 'Yes, I have one'), 'en', 'nope', undefined],
    [swapped('No problem', 'Never'), 'en', 'yes', true],
  ])('%j in %s: %s', (rule, locale, text, expected) => {
    expect(readText(rule, text, { locale, ownLocale: 'en' })).toBe(expected);
  });

  test('a text that matches two choices selects none', () => {
    const both = choice(['a', { en: 'A', fr: 'Autre' }], ['b', { en: 'B', de: 'Autre' }]);
    expect(readText(both, 'autre', english)).toBeUndefined();
    expect(readText(both, 'autre', { locale: 'fr', ownLocale: 'en' })).toBe('a');
  });
});

test('the body of an entry, typed again, gives the same answer', () => {
  const rule: InputRule = { type: 'multiChoice', choices };
  fc.assert(
    fc.property(fc.subarray(choices, { minLength: 1 }), (chosen) => {
      const values = chosen.map(({ value }) => value);
      expect(readText(rule, answerBody(rule, values, 'en', 'en'), english)).toEqual(values);
    }),
  );
});

test('numbers are stored in the shortest decimal notation', () => {
  const shown = [0, -2.5, 42000, 1e-7, 1.5e-10, -3e-9, 1e21, 0.1 + 0.2, 9n].map(evaluationText);
  expect(shown).toEqual([
    '0',
    '-2.5',
    '42000',
    '0.0000001',
    '0.00000000015',
    '-0.000000003',
    '1000000000000000000000',
    '0.30000000000000004',
    '9',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = evaluationText(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value + 0);
    }),
  );
});

test('the evaluation is well-formed Unicode without U+0000, which Postgres rejects', () => {
  expect(evaluationText('a\0b\ud83d')).toBe('ab\ufffd');
  expect(evaluationText(['\udc00', '\0'])).toBe('\ufffd,');
  expect(evaluationText('😀')).toBe('😀');
});

describe('a text with several choices', () => {
  const tags = Array.from(
    { length: 20 },
    (_, n) => `${'abcdefghijklmnopqrst'[n]}${'zyxwvutsrqponmlkjihg'[n]}`,
  );
  const label = (words: (n: number) => string): LocalText =>
    Object.fromEntries(tags.map((tag, n) => [tag, words(n)]));
  const rule = (words: (choice: number, language: number) => string): InputRule => ({
    type: 'multiChoice',
    choices: Array.from({ length: 20 }, (_, choice) => ({
      value: `v${choice}`,
      label: label((n) => words(choice, n)),
    })),
  });

  test('takes linear time', () => {
    const many = rule((choice, n) => `${','.repeat(140)}${choice} ${n}`);
    for (const text of [
      '1'.repeat(1_000_000),
      '1,'.repeat(500_000),
      `${'!'.repeat(39)},`.repeat(25_000),
      `${'teamwork,'.repeat(50)}teamwork${' '.repeat(1_000_000)}x${',teamwork'.repeat(50)}`,
    ]) {
      const read = () => readText(many, text, { locale: 'az', ownLocale: 'az' });
      expect(completes(read)).toBeUndefined();
    }
  });
});
