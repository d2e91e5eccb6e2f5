import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityTag, isHeld, isTagList, isWanted, namesRow, versionToMatch } from './conditional.ts';

const path = '/v1/workspaces/w/customers/c';
const rowAt = (version: number) => ({ path, version });

test('a tag depends on the content, and holds the version of a row', () => {
  expect(entityTag('a', rowAt(7))).toMatch(/^"7\.[\w-]{22}"$/);
  expect(entityTag('a', rowAt(7))).toBe(entityTag('a', rowAt(7)));
  expect(entityTag('a', rowAt(7))).not.toBe(entityTag('b', rowAt(7)));
  expect(entityTag('a')).toMatch(/^"[\w-]{22}"$/);
  expect(entityTag('a')).not.toBe(entityTag('b'));
});

const versions = fc.integer({ min: 0, max: 2_147_483_647 });

test('a client that sends back a tag holds that content and changes that version', () => {
  fc.assert(
    fc.property(versions, fc.string(), (version, content) => {
      const tag = entityTag(content, rowAt(version));
      expect(isHeld(tag, tag)).toBe(true);
      expect(isHeld(`"a,b" , W/${tag}`, tag)).toBe(true);
      expect(isWanted(`"a,b" , ${tag}`, tag)).toBe(true);
      expect(isWanted(`"a,b" , W/${tag}`, tag)).toBe(false);
      expect(versionToMatch(tag, path)).toBe(version);
      expect(namesRow(tag, rowAt(version))).toBe(true);
      expect(namesRow(`"a,b" , W/${tag}`, rowAt(version))).toBe(true);
      expect(namesRow(tag, rowAt(version + 1))).toBe(false);
      expect(namesRow(tag, { path: '/other', version })).toBe(false);
    }),
  );
});

test('a tag matches no other row, and none that differs in a character matches', () => {
  fc.assert(
    fc.property(
      versions,
      fc.string(),
      fc.nat(23),
      fc.constantFrom(...'09aZ-_'),
      (version, shown, at, char) => {
        const tag = entityTag(shown, rowAt(version));
        expect(versionToMatch(tag, '/v1/workspaces/w/customers/d')).toBe(-1);
        expect(versionToMatch(tag, '/v1/workspaces/v/customers/c')).toBe(-1);
        const forged = tag.slice(0, -at - 2) + char + tag.slice(tag.length - at - 1);
        expect(versionToMatch(forged, path)).toBe(forged === tag ? version : -1);
      },
    ),
  );
});

test('without a condition, and under *, any version will do', () => {
  expect(versionToMatch(undefined, path)).toBeUndefined();
  expect(versionToMatch(' * ', path)).toBeUndefined();
  expect(isHeld(undefined, '"x"')).toBe(false);
  expect(isHeld('*', '"x"')).toBe(true);
  expect(isWanted(undefined, '"x"')).toBe(true);
  expect(isWanted(' * ', '"x"')).toBe(true);
  expect(isWanted('"y"', '"x"')).toBe(false);
  expect(namesRow('*', rowAt(1))).toBe(true);
  expect(namesRow('nonsense', rowAt(1))).toBe(false);
});

test('of several tags the newest version counts', () => {
  const other = entityTag('x', { path: '/other', version: 12 });
  const tags = [4, 9, 5].map((version) => entityTag('x', rowAt(version)));
  expect(versionToMatch([...tags, other].join(', '), path)).toBe(9);
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
  const tag = entityTag('x', rowAt(4));
  const tooLate = entityTag('x', rowAt(99_999_999_999));
  const forged = `"4.${'a'.repeat(22)}"`;
  for (const text of ['', 'x', '4', '"4"', '"4.short"', `W/${tag}`, entityTag('x'), tooLate, forged]) {
    expect(versionToMatch(text, path), text).toBe(-1);
  }
});
