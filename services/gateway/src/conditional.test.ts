import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityTag, isHeld, isTagList, versionToMatch } from './conditional.ts';

test('a tag holds the row version and depends on the content', () => {
  expect(entityTag(7, 'a')).toMatch(/^"7\.[\w-]{22}"$/);
  expect(entityTag(7, 'a')).toBe(entityTag(7, 'a'));
  expect(entityTag(7, 'a')).not.toBe(entityTag(7, 'b'));
  expect(entityTag(undefined, 'a')).toMatch(/^"[\w-]{22}"$/);
});

test('a client that sends back a tag holds that content and changes that version', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_147_483_647 }), fc.string(), (version, content) => {
      const tag = entityTag(version, content);
      expect(isHeld(tag, tag)).toBe(true);
      expect(isHeld(`"a,b" , W/${tag}`, tag)).toBe(true);
      expect(versionToMatch(tag)).toBe(version);
    }),
  );
});

test('without a condition, and under *, any version will do', () => {
  expect(versionToMatch(undefined)).toBeUndefined();
  expect(versionToMatch(' * ')).toBeUndefined();
  expect(isHeld(undefined, '"x"')).toBe(false);
  expect(isHeld('*', '"x"')).toBe(true);
});

test('of several tags the newest version counts', () => {
  expect(versionToMatch([4, 9, 5].map((version) => entityTag(version, 'x')).join(', '))).toBe(9);
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

test('what is no strong tag of ours matches no version', () => {
  const tag = entityTag(4, 'x');
  const version = entityTag(99_999_999_999, 'x');
  for (const text of ['', 'x', '4', '"4"', '"4.short"', `W/${tag}`, entityTag(undefined, 'x'), version]) {
    expect(versionToMatch(text), text).toBe(-1);
  }
});
