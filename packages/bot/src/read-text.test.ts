import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerBody, evaluationText } from './answer-forms.ts';
import type { InputRule } from './format.ts';
import { readText } from './read-text.ts';

const choices = [
  { value: 'confirm', label: "Yes, I'll be there" },
  { value: 'node.js', label: { en: 'Node.js, TypeScript', de: 'Node.js und TypeScript' } },
  { value: 'c', label: 'C' },
];
const yesNo: InputRule = { type: 'yesNo', labels: { yes: 'Yes, please', no: 'Rather not' } };

describe('what free text means', () => {
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
    [{ type: 'number' }, '1,200', 1200],
    [{ type: 'number' }, '38 500', 38500],
    [{ type: 'number' }, '1 234 567', 1234567],
    [{ type: 'number' }, '1 2345', undefined],
    [{ type: 'number' }, '1,234,567.5', 1234567.5],
    [{ type: 'number' }, '3,5', 3.5],
    [{ type: 'number' }, '0,125', 0.125],
    [{ type: 'number' }, '−2', -2],
    [{ type: 'number' }, '1e9', undefined],
    [{ type: 'number' }, '0x10', undefined],
    [{ type: 'number' }, '', undefined],
    [{ type: 'yesNo' }, 'YES!', true],
    [{ type: 'yesNo' }, 'n', false],
    [{ type: 'yesNo' }, 'maybe', undefined],
    [yesNo, 'yes please', true],
    [yesNo, 'rather not.', false],
    [yesNo, 'no', false],
    [{ type: 'date' }, '2026-1-5', '2026-01-05'],
    [{ type: 'date' }, 'tomorrow', undefined],
    [{ type: 'time' }, '9:30', '09:30'],
    [{ type: 'time' }, '12:05 am', '00:05'],
    [{ type: 'time' }, '9.30 PM', '21:30'],
    [{ type: 'time' }, '13:00 pm', undefined],
    [{ type: 'email' }, 'a@b.co', 'a@b.co'],
  ])('%j: %j', (rule, text, expected) => {
    expect(readText(rule, text)).toEqual(expected);
  });
});

test('the body of an entry, typed again, means the same answer', () => {
  const rule: InputRule = { type: 'multiChoice', choices };
  fc.assert(
    fc.property(fc.subarray(choices, { minLength: 1 }), (chosen) => {
      const values = chosen.map(({ value }) => value);
      expect(readText(rule, answerBody(rule, values, 'en', 'en'))).toEqual(values);
    }),
  );
});

test('numbers are kept in the shortest decimal notation', () => {
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

test('the evaluation is well-formed Unicode without U+0000, which no store takes', () => {
  expect(evaluationText('a\0b\ud83d')).toBe('ab\ufffd');
  expect(evaluationText(['\udc00', '\0'])).toBe('\ufffd,');
  expect(evaluationText('😀')).toBe('😀');
});
