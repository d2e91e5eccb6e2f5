import { expect, test } from 'vitest';
import { chosen, mostSelected, rangeOf, rowsBetween } from './selection.ts';

test('rows are chosen and not any more, and a selection is never changed in place', () => {
  const before = new Map([['a', 'Ada']]);
  const more = chosen(
    before,
    [
      ['b', 'Bob'],
      ['c', 'Cy'],
    ],
    true,
  );
  expect([...more.keys()]).toEqual(['a', 'b', 'c']);
  expect([
    ...chosen(
      more,
      [
        ['a', 'Ada'],
        ['c', 'Cy'],
      ],
      false,
    ).keys(),
  ]).toEqual(['b']);
  expect([...before.keys()]).toEqual(['a']);
});

test('no more are chosen than the limit', () => {
  const entries = Array.from({ length: mostSelected + 5 }, (_, at): [string, string] => [`${at}`, 'x']);
  const full = chosen(new Map(), entries, true);
  expect(full.size).toBe(mostSelected);
  expect(chosen(full, [['another', 'x']], true).has('another')).toBe(false);
});

test.each([
  [3, 7, [3, 7]],
  [7, 3, [3, 7]],
  [5, 5, [5, 5]],
  [0, 9_999, [0, 499]],
  [9_999, 9_000, [9_000, 9_499]],
])('a range between %i and %i is %j', (from, to, range) => {
  expect(rangeOf(from, to)).toEqual(range);
});

test('rows in view are those that have been loaded', () => {
  const rows = { at: (index: number) => (index === 4 ? undefined : `row ${index}`) };
  expect(rowsBetween(rows, { startIndex: 3, endIndex: 5 })).toEqual(['row 3', 'row 5']);
  expect(rowsBetween(rows, null)).toEqual([]);
});
