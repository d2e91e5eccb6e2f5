import { depthMax, jsonValuesMax } from '@parley/runtime/json/json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

function pointersOf(text: string | Buffer): string[] {
  try {
    parseJson(Buffer.from(text), jsonValuesMax);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_argument', type: 'malformed-json' });
    return (error as { faults: { pointer: string }[] }).faults.map(({ pointer }) => pointer);
  }
}

test('a repeated name in an object is reported with its place', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string(),
      fc.jsonValue({ maxDepth: 2 }),
      (value, name, other) => {
        const [key, inner, outer] = [name, value, other].map((part) => JSON.stringify(part));
        const pointer = `/1/a/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        expect(pointersOf(`[${outer}, {"a": {${key}: ${inner}, ${key} : ${outer}}}]`)).toEqual([pointer]);
      },
    ),
  );
});

test.each([
  ['{"a":1,"a":1}', ['/a']],
  ['{"a":1,"\\u0061":2,"a":3}', ['/a', '/a']],
  ['{"":1,"":2}', ['/']],
  ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
  ['[{"a":[{"b":1},{"b":[0,{"c":1,"c":2}]}],"a":1}]', ['/0/a/1/b/1/c', '/0/a']],
  ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}', []],
  ['{"a":"\\",\\"a\\":1:","b":":{\\\\"}', []],
])('%s has its faults at %j', (text, pointers) => {
  expect(pointersOf(text)).toEqual(pointers);
});

test('at most a hundred faults are reported', () => {
  expect(pointersOf(`{${Array.from({ length: 500 }, () => '"a":1').join()}}`)).toHaveLength(100);
});

test('nesting beyond the limit is reported with its place', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(pointersOf(nested(depthMax))).toEqual([]);
  expect(pointersOf(`{"a":${nested(depthMax)}}`)).toEqual([`/a${'/0'.repeat(depthMax - 1)}`]);
  expect(pointersOf(nested(100_000))).toEqual(['/0'.repeat(depthMax)]);
});

test('more values than the limit are reported with the place', () => {
  const list = `[${'1,\n'.repeat(jsonValuesMax)}1]`;
  expect(() => parseJson(Buffer.from(list), jsonValuesMax)).toThrow(
    expect.objectContaining({
      faults: [
        { pointer: '', detail: `Line ${jsonValuesMax - 1}, column 2: Has more than ${jsonValuesMax} values` },
      ],
    }),
  );
});

test.each([
  ['', 'Line 1, column 1: The text is empty.'],
  ['{"a": "b', 'Line 1, column 7: The JSON ends too early.'],
  ['{"a":"b\n}', 'Line 1, column 6: The closing double quote is missing.'],
  ['{"a":1', 'Line 1, column 7: The JSON ends too early.'],
  ['{"a":1,}', 'Line 1, column 8: Expected a name in double quotes. A trailing comma is not allowed.'],
  ['[1', 'Line 1, column 3: The JSON ends too early.'],
  ['nul', 'Line 1, column 1: This is not a JSON value. Strings need double quotes.'],
  ['{} {}', 'Line 1, column 4: Unexpected text after the JSON value.'],
  ["{'a': 1}", 'Line 1, column 2: This is not a JSON value. Strings need double quotes.'],
  ['{\n  "é😀": 1\n  "b": 2\n}', 'Line 3, column 3: A comma is missing before this.'],
  [Buffer.from([0x22, 0xff, 0x22]), 'Is not UTF-8'],
  [Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'Is not UTF-8'],
])('%j is not JSON: %s', (text, detail) => {
  expect(() => parseJson(Buffer.from(text), jsonValuesMax)).toThrow(
    expect.objectContaining({ type: 'malformed-json', faults: [{ pointer: '', detail }] }),
  );
});
