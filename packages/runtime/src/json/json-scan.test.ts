import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemPlaces, splitMembers } from './json-scan.ts';

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

test('the items of an array or object are found without the spaces around them', () => {
  const text = ' {"a" :\t[1, "],", {"b": 2 } , []],\n "c:": "\\\\" }\n';
  const textsAt = (offset: number) => itemPlaces(text, offset).map(({ from, to }) => text.slice(from, to));
  expect(textsAt(1)).toEqual(['"a" :\t[1, "],", {"b": 2 } , []]', '"c:": "\\\\"']);
  expect(itemPlaces(text, 1).map(({ colon = 0 }) => text.slice(0, colon))).toEqual([
    ' {"a" ',
    text.slice(0, text.indexOf(': "\\')),
  ]);
  expect(textsAt(text.indexOf('['))).toEqual(['1', '"],"', '{"b": 2 }', '[]']);
  expect(textsAt(text.indexOf('[]'))).toEqual([]);
});
