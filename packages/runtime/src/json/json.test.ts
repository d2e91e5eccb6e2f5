import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, readJson } from './json.ts';
import { countJson } from './json-scan.ts';

const piece = fc.constantFrom(
  ...'{}[],:"\\u0aef-1.E+ \n\r\t\u0001\u00a0\u2028\ufeff\u000b\f/*',
  'true',
  'nul',
  'null',
  '"a"',
  '"\\u00e9"',
  '\ud800',
);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

test('the result equals that of JSON.parse, and a fault has its position', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), pieces), (text) => {
      if (isJson(text)) expect(readJson(text, { repeatedMax: 1 }).value).toEqual(JSON.parse(text));
      else expect(() => readJson(text, { repeatedMax: 1 })).toThrow(JsonError);
    }),
    { numRuns: 5_000 },
  );
});

/** Counts like `countJson`, in the parsed value. */
function countsOf(value: unknown): { values: number; members: number; depth: number } {
  if (value === null || typeof value !== 'object') return { values: 1, members: 0, depth: 0 };
  const inner = Object.values(value).map(countsOf);
  const sum = (counted: number[]): number => counted.reduce((all, one) => all + one, 0);
  return {
    values: 1 + sum(inner.map(({ values }) => values)),
    members: (Array.isArray(value) ? 0 : inner.length) + sum(inner.map(({ members }) => members)),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

test('the values, members and levels of a text are counted like those of its value', () => {
  const limits = { values: 1_000_000, depth: 1_000 };
  const spaced = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, null, 1));
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 5 }), spaced), (text) => {
      expect(countJson(text, limits)).toMatchObject(countsOf(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

test('a text with too many values is read no further than to the first of them', () => {
  const values = (count: number): string => `[${Array.from({ length: count - 1 }, () => '{}').join()}`;
  expect(readJson(`${values(50)}]`, { repeatedMax: 1, valuesMax: 50 }).repeated).toEqual([]);
  const text = `${values(100_000)} this is not JSON`;
  const { end } = countJson(text, { values: 50, depth: 64 });
  expect(end).toBe(values(51).length - 2);
  expect(() => readJson(text, { repeatedMax: 1, valuesMax: 50 })).toThrow('Has more than 50 values');
});
