import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitMembers } from './json-scan.ts';

test('the members of an object have their own text, and together they are the whole text', () => {
  const text = ' {"a" :\t1.0,\n "b\\"": {"a": [1, "}, ,"]} ,"\\u0063":"\\\\"}\n';
  expect(splitMembers(text)).toEqual([
    { name: 'a', text: '"a" :\t1.0', value: '\t1.0' },
    { name: 'b"', text: '\n "b\\"": {"a": [1, "}, ,"]} ', value: ' {"a": [1, "}, ,"]} ' },
    { name: 'c', text: '"\\u0063":"\\\\"', value: '"\\\\"' },
  ]);
  const joined = splitMembers(text).map((member) => member.text);
  expect(` {${joined.join(',')}}\n`).toBe(text);
  expect(splitMembers(' {} ')).toEqual([]);
});

test('of any object, every member is found with its value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
      const entries = Object.entries(JSON.parse(JSON.stringify(object)) as object);
      const found = splitMembers(JSON.stringify(object, null, indent));
      expect(found.map(({ name, value }) => [name, JSON.parse(value)])).toEqual(entries);
    }),
  );
});
