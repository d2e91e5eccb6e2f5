import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextSearch } from './text-search.ts';

/** What the search is to tell, by trying every text at every place. */
function foundOneByOne(texts: readonly string[], text: string) {
  const found: [number, number][] = [];
  for (let end = 1; end <= text.length; end += 1) {
    const there = texts.filter((one) => one && text.slice(0, end).endsWith(one));
    const length = Math.max(0, ...there.map((one) => one.length));
    if (length > 0) found.push([end - length, end]);
  }
  const beginnings = texts.flatMap((one) => Array.from(one, (_, index) => one.slice(0, index + 1)));
  const begun = beginnings.filter((one) => text.endsWith(one)).map((one) => one.length);
  return { found, begun: Math.max(0, ...begun) };
}

function read(texts: readonly string[], text: string) {
  const found: [number, number][] = [];
  const search = createTextSearch(texts.map((one) => Buffer.from(one, 'latin1')));
  const begun = search.read(Buffer.from(text, 'latin1'), (start, end) => found.push([start, end]));
  return { found, begun };
}

test('whatever is sought, each place where it ends is found, and what is begun at the end', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'ÿ'), maxLength: 12 });
  const many = fc.string({ unit: fc.constantFrom(...'abcdefgh'), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(few, { maxLength: 8 }), few, (texts, text) => {
      expect(read(texts, text)).toEqual(foundOneByOne(texts, text));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.array(few, { maxLength: 8 }), many, fc.nat(40), (texts, other, at) => {
      const text = other.slice(0, at) + texts.join('') + other.slice(at);
      expect(read([...texts, other.slice(3, 9)], text)).toEqual(
        foundOneByOne([...texts, other.slice(3, 9)], text),
      );
    }),
    { numRuns: 500 },
  );
});

test('of what ends at a place the longest is told of', () => {
  expect(read(['b', 'ab', 'xab'], 'zab').found).toEqual([[1, 3]]);
  expect(read(['he', 'she', 'his', 'hers'], 'ushers')).toEqual({
    found: [
      [1, 4],
      [2, 6],
    ],
    begun: 4,
  });
});

test('nothing is found of nothing', () => {
  expect(read([], 'text')).toEqual({ found: [], begun: 0 });
  expect(read([''], 'text')).toEqual({ found: [], begun: 0 });
  expect(read(['text'], '')).toEqual({ found: [], begun: 0 });
});
