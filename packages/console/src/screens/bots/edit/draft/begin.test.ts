import { expect, test } from 'vitest';
import { beginningOf, definitionIn, isOwnSave, markOf, sameJson } from './begin.ts';

const saved = { definition: { n: 1 }, tag: 't1', base: 2, at: '2026-01-01T00:00:00Z', by: 'ada' };
const kept = { text: '{ "n": 1 }', opened: 1, base: 1, at: '2026-01-02T00:00:00Z' };

test('without a draft the editor begins with what this browser has kept and nobody has saved', () => {
  expect(beginningOf(undefined, undefined).draft).toBeUndefined();
  expect(beginningOf(kept, undefined)).toMatchObject({ draft: kept, isSaved: false });
  // It was published or discarded.
  expect(beginningOf({ ...kept, tag: 't1', isSaved: true }, undefined).draft).toBeUndefined();
});

test('a draft is opened, in the layout of this browser if that is the same', () => {
  expect(beginningOf(undefined, saved)).toMatchObject({
    draft: { text: '{\n  "n": 1\n}\n', base: 2, opened: 2, by: { id: 'ada' } },
    tag: 't1',
    isSaved: true,
  });
  expect(beginningOf(kept, saved)).toMatchObject({
    draft: kept,
    tag: 't1',
    isSaved: true,
    theirs: undefined,
  });
  const older = { ...kept, text: '{"n": 0}', tag: 't0', isSaved: true };
  expect(beginningOf(older, saved)).toMatchObject({ draft: { base: 2 }, isSaved: true });
});

test('what was typed after the last save goes on from it, and a conflict has both texts', () => {
  const typed = { ...kept, text: '{"n": 2}' };
  expect(beginningOf({ ...typed, tag: 't1' }, saved)).toMatchObject({
    tag: 't1',
    isSaved: false,
    theirs: undefined,
  });
  expect(beginningOf({ ...typed, tag: 't0' }, saved)).toMatchObject({ draft: typed, theirs: saved });
  expect(beginningOf({ ...typed, text: '{"n": ' }, saved)).toMatchObject({ theirs: saved });
});

test('what was typed while the own text was being saved goes on from it, and is no conflict', () => {
  const typed = { ...kept, text: '{"n": 2}', by: { id: 'ada', name: 'Ada' }, sent: [markOf({ n: 1 })] };
  expect(beginningOf(typed, saved)).toMatchObject({
    draft: typed,
    tag: 't1',
    isSaved: false,
    theirs: undefined,
  });
  expect(beginningOf(typed, { ...saved, by: 'bob' })).toMatchObject({ theirs: { by: 'bob' } });
  expect(beginningOf(typed, { ...saved, definition: { n: 7 } })).toMatchObject({ theirs: { by: 'ada' } });
  expect(isOwnSave(saved, { by: 'ada', sent: [] })).toBe(false);
  expect([sameJson({ n: 1 }, { n: 1 }), sameJson({ n: 1 }, { n: 2 })]).toEqual([true, false]);
});

test('a draft is one object with each name once', () => {
  for (const text of ['', '[]', '7', '{"a": 1, "a": 2}']) expect(definitionIn(text)).toBeUndefined();
  expect(definitionIn('{"a": [1]}')).toEqual({ a: [1] });
});
