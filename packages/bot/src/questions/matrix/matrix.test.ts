import { expect, test } from 'vitest';
import { completes } from '../../../tests/completes.ts';
import { accepts, reads, refuses } from '../../../tests/answers.ts';
import type { InputRule } from '../types.ts';
import { matrix } from './matrix.ts';

const rows = [
  { value: 'speed', label: 'Speed' },
  { value: 'price', label: 'Price: is it fair?' },
];
const columns = [
  { value: 'bad', label: 'Not good' },
  { value: 'good', label: 'Good' },
];
const rule = { type: 'matrix', rows, columns } as const satisfies InputRule;
const open = { ...rule, rowsRequired: false } as const;

reads([
  [rule, 'speed: good\nprice: not good', { speed: 'good', price: 'bad' }],
  [rule, 'Price: is it fair? Good; speed bad', { price: 'good', speed: 'bad' }],
  [rule, 'good, not good', { speed: 'good', price: 'bad' }],
  [rule, 'price = good', { price: 'good' }],
  [rule, 'good', { speed: 'good' }],
  [rule, 'good, bad, good', undefined],
  [rule, 'speed: good; speed: bad', undefined],
  [rule, 'speed: fine', undefined],
  [rule, '', {}],
]);

accepts([
  [rule, { price: 'bad', speed: 'good' }, { speed: 'good', price: 'bad' }],
  [open, { price: 'bad' }, { price: 'bad' }],
  // A model says null for a row that it does not find.
  [open, { price: 'bad', speed: null }, { price: 'bad' }],
]);

refuses([
  [rule, 'good', 'not-a-matrix'],
  [rule, ['good', 'bad'], 'not-a-matrix'],
  [rule, null, 'not-a-matrix'],
  [rule, { speed: 'good', price: 'fine' }, 'not-a-matrix'],
  [rule, { speed: 'good', price: 'bad', taste: 'bad' }, 'not-a-matrix'],
  [rule, { speed: ['good'], price: 'bad' }, 'not-a-matrix'],
  [rule, { speed: 'good' }, 'rows-missing'],
  [rule, {}, 'required'],
  [open, {}, 'required'],
]);

test('a row of any name is a row', () => {
  const named = { ...rule, rows: [{ value: '__proto__', label: 'Form' }] };
  const value: unknown = JSON.parse('{"__proto__":"good"}');
  const checked = matrix.checkValue(named, value);
  expect(JSON.stringify(checked)).toBe('{"value":{"__proto__":"good"}}');
});

test('the evaluation has the column of each row, and its figures count by row', () => {
  const text = matrix.evaluationText({ speed: 'good', price: 'bad' });
  expect(text).toBe('speed: good; price: bad');
  expect(matrix.partsOf(text)).toEqual(['speed/good', 'price/bad']);
  expect(matrix.countableValues(rule)).toEqual(['speed/bad', 'speed/good', 'price/bad', 'price/good']);
});

test('values of rows and columns are unique among themselves', () => {
  const pointers: string[] = [];
  const repeated = {
    ...rule,
    rows: [...rows, { value: 'speed', label: 'Pace' }],
    columns: [...columns, ...columns],
  };
  matrix.reportFaults(repeated, { locale: 'en', patternsLeft: 0 }, (pointer) => pointers.push(pointer));
  expect(pointers).toEqual(['/rows/2/value', '/columns/2/value', '/columns/3/value']);
});

test('a long text is read in linear time', () => {
  for (const text of ['a '.repeat(500_000), ': '.repeat(500_000), 'good;'.repeat(200_000)]) {
    expect(
      completes(() => matrix.readText(rule, text, { locale: 'en', ownLocale: 'en' })),
    ).not.toHaveProperty('speed');
  }
});
