import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, readJson } from './json.ts';

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
      if (isJson(text)) expect(readJson(text, 1).value).toEqual(JSON.parse(text));
      else expect(() => readJson(text, 1)).toThrow(JsonError);
    }),
    { numRuns: 5_000 },
  );
});
