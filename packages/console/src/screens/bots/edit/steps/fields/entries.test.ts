import { expect, test } from 'vitest';
import { entryNumber, withName, wordsFirst } from './entries.ts';

test('a new entry has a number that no other has', () => {
  expect(entryNumber([{ value: 'option1' }, { value: 'option3' }])).toBe(4);
  expect(entryNumber(['option2', 'x'])).toBe(3);
  expect(entryNumber(['value1', 'value2'])).toBe(3);
  expect(entryNumber([])).toBe(1);
  expect(entryNumber([{ value: 'option2' }])).toBe(3);
});

test('a member gets another name at its place', () => {
  const members = { a: 1, b: 2 };
  expect(Object.entries(withName(members, 'a', 'c'))).toEqual([
    ['c', 1],
    ['b', 2],
  ]);
  expect(withName(members, 'a', 'b')).toBe(members);
  expect(withName(members, 'a', '')).toBe(members);
});

test('words come before names', () => {
  const value = { name: 'value', control: { kind: 'line', isLong: false, isName: true } } as const;
  const label = { name: 'label', control: { kind: 'words', hasValues: false } } as const;
  expect([value, label].toSorted(wordsFirst)).toEqual([label, value]);
});
