import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityTag, isTagList, matchesIfMatch, matchesIfNoneMatch, versionToMatch } from './conditional.ts';

test('a tag depends on the content, and contains the version of a row', () => {
  expect(entityTag('a', 7)).toMatch(/^"7\.[\w-]{22}"$/);
  expect(entityTag('a', 7)).toBe(entityTag('a', 7));
  expect(entityTag('a', 7)).not.toBe(entityTag('b', 7));
  expect(entityTag('a')).toMatch(/^"[\w-]{22}"$/);
  expect(entityTag('a')).not.toBe(entityTag('b'));
});

const versions = fc.integer({ min: 0, max: 999_999_999 });

test('a returned tag matches its content and its version', () => {
  fc.assert(
    fc.property(versions, fc.string(), (version, content) => {
      const tag = entityTag(content, version);
      expect(matchesIfNoneMatch(tag, tag)).toBe(true);
      expect(matchesIfNoneMatch(`"a,b" , W/${tag}`, tag)).toBe(true);
      expect(matchesIfMatch(`"a,b" , ${tag}`, tag)).toBe(true);
      expect(matchesIfMatch(`"a,b" , W/${tag}`, tag)).toBe(false);
      expect(versionToMatch(tag)).toBe(version);
      expect(versionToMatch(`"a,b" , W/${tag}`)).toBe(-1);
    }),
  );
});

test('without a condition, and with *, any version matches', () => {
  expect(versionToMatch(undefined)).toBeUndefined();
  expect(versionToMatch(' * ')).toBeUndefined();
  expect(matchesIfNoneMatch(undefined, '"x"')).toBe(false);
  expect(matchesIfNoneMatch('*', '"x"')).toBe(true);
  expect(matchesIfMatch(undefined, '"x"')).toBe(true);
  expect(matchesIfMatch(' * ', '"x"')).toBe(true);
  expect(matchesIfMatch('"y"', '"x"')).toBe(false);
});

test('of several tags the newest version counts', () => {
  expect(versionToMatch([4, 9, 5].map((version) => entityTag('x', version)).join(', '))).toBe(9);
});

test.each([
  ['"7.a"', true],
  [' W/"a,b" , "" ,"c"', true],
  [' * ', true],
  ['', false],
  [' , ', false],
  ['7.a', false],
  ['"7.a', false],
  ["'7.a'", false],
  ['"a", b', false],
  ['*, "a"', false],
])('%j is a list of tags: %s', (text, isList) => {
  expect(isTagList(text)).toBe(isList);
});

test('a tag without a version matches no row', () => {
  const tooLate = entityTag('x', 99_999_999_999);
  for (const text of ['', 'x', '4', '"4"', '"4.short"', entityTag('x'), tooLate]) {
    expect(versionToMatch(text), text).toBe(-1);
  }
});
