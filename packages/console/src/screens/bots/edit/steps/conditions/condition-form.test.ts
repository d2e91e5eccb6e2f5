import type { KnownValue } from '@parley/bot/editing/known-values';
import { expect, test } from 'vitest';
import {
  comparisonsFor,
  fittingRow,
  newCondition,
  newRow,
  operandForm,
  readOperand,
} from './condition-form.ts';

const words = { yes: 'Yes', no: 'No' };
const value = (more: Partial<KnownValue>): KnownValue => ({
  name: 'answers.x',
  question: 'X?',
  type: 'string',
  needs: {},
  ...more,
});
const score = value({ type: 'int', needs: { min: 0, max: 10 } });
const plan = value({
  needs: { choices: [{ value: 'gold', label: 'Gold' }], other: { label: 'Else', maxLength: 9 } },
});
const again = value({ type: 'bool', needs: { labels: { yes: 'Sure', no: 'Never' } } });
const several = value({ type: 'list<string>', needs: { choices: [{ value: 'a', label: 'A' }] } });

test('a condition about a value begins with what can be true', () => {
  expect([score, plan, again, several, value({})].map(newRow)).toEqual([
    { of: 'answers.x', comparison: '==', operand: 5n },
    { of: 'answers.x', comparison: '==', operand: 'gold' },
    { of: 'answers.x', comparison: '==', operand: true },
    { of: 'answers.x', comparison: 'has', operand: 'a' },
    { of: 'answers.x', comparison: '==', operand: '' },
  ]);
});

test('a row keeps what fits when its value changes', () => {
  expect(
    fittingRow({ of: 'answers.x', comparison: '>=', operand: 9n }, value({ type: 'double' })),
  ).toMatchObject({ comparison: '>=', operand: 9n });
  expect(fittingRow({ of: 'answers.x', comparison: '>=', operand: 9n }, plan)).toMatchObject({
    comparison: '==',
    operand: 'gold',
  });
  expect(fittingRow({ of: 'answers.x', comparison: '!=', operand: 'other' }, plan)).toMatchObject({
    comparison: '!=',
    operand: 'other',
  });
  expect(fittingRow({ of: 'answers.x', comparison: 'given' }, plan)).toEqual({
    of: 'answers.x',
    comparison: 'given',
  });
});

test('comparisons are those of the type, and the one that is there', () => {
  expect(comparisonsFor(again)).toEqual(['==', 'given', 'missing']);
  expect(comparisonsFor(again, '!=')).toEqual(['!=', '==', 'given', 'missing']);
  expect(comparisonsFor(value({ name: 'answers.a-b', type: 'map<string, string>' }))).toEqual([]);
  expect(comparisonsFor(undefined)).toContain('contains');
});

test('operands are entered in words', () => {
  expect(operandForm({ of: 'x', comparison: '==' }, plan, words)).toEqual({
    kind: 'choice',
    options: [
      { value: 'gold', label: 'Gold' },
      { value: 'other', label: 'Else' },
    ],
  });
  expect(operandForm({ of: 'x', comparison: '==', operand: true }, again, words)).toMatchObject({
    options: [{ label: 'Sure' }, { label: 'Never' }],
  });
  expect(operandForm({ of: 'x', comparison: '==', operand: false }, undefined, words)).toMatchObject({
    options: [{ label: 'Yes' }, {}],
  });
  expect(operandForm({ of: 'x', comparison: '==', operand: 'a' }, undefined, words)).toEqual({
    kind: 'text',
  });
  expect(operandForm({ of: 'x', comparison: 'given' }, plan, words)).toEqual({ kind: 'none' });
});

test.each([
  ['9', 9n],
  [' -9 ', -9n],
  ['2,5', 2.5],
  ['', undefined],
  ['-', undefined],
  ['1e3', undefined],
])('a number is read: %j', (text, expected) => {
  expect(readOperand(text, { kind: 'number' }, score)).toBe(expected);
});

test('a choice and a text are read as they are, and yes or no as a bool', () => {
  expect(readOperand('false', { kind: 'choice', options: [] }, again)).toBe(false);
  expect(readOperand('gold', { kind: 'choice', options: [] }, plan)).toBe('gold');
  expect(readOperand(' x', { kind: 'text' }, value({}))).toBe(' x');
});

test('a condition begins with the first value', () => {
  expect(newCondition([plan, score])).toBe("answers.x == 'gold'");
  expect(newCondition([])).toBe('true');
});
