import { expect, test } from 'vitest';
import type { Definition } from '../../data/bots.ts';
import { changesBetween } from './compare.ts';

const bot = (steps: Definition['steps'], name = 'Bot'): Definition => ({ key: 'bot', name, steps });
const ask = (id: string, text = id) => ({ id, kind: 'ask', text });
const kindsOf = (before: Definition, after: Definition): string[] =>
  changesBetween(before, after).map(({ kind, name }) => `${kind} ${name}`);

test('identical definitions have no differences', () => {
  expect(changesBetween(bot([ask('a'), ask('b')]), bot([ask('a'), ask('b')]))).toEqual([]);
});

test('steps are matched by their ids: added, removed, changed and moved', () => {
  const before = bot([ask('a'), ask('b'), ask('c'), ask('gone')]);
  const after = bot([ask('a', 'new text'), ask('c'), ask('b'), ask('new')]);
  expect(kindsOf(before, after)).toEqual(['changed a', 'moved c', 'moved b', 'added new', 'removed gone']);
});

test('an inserted step moves no other one', () => {
  expect(kindsOf(bot([ask('a'), ask('b')]), bot([ask('new'), ask('a'), ask('b')]))).toEqual(['added new']);
});

test('a change has both texts of a field', () => {
  const [change, step] = changesBetween(bot([ask('a', 'old')]), bot([ask('a', 'new')], 'Other'));
  expect(change).toEqual({
    kind: 'changed',
    name: 'name',
    isStep: false,
    fields: [{ name: 'name', before: 'Bot', after: 'Other' }],
  });
  expect(step?.fields).toEqual([{ name: 'text', before: 'old', after: 'new' }]);
});
