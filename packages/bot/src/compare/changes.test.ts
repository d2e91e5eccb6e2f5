import { expect, test } from 'vitest';
import { changesBetween } from './changes.ts';

const ask = (id: string, text = id) => ({ id, kind: 'ask', text });
const bot = (...steps: object[]) => ({ key: 'bot', name: 'Bot', steps });
const kindsOf = (before: unknown, after: unknown): string[] =>
  changesBetween(before, after).steps.map(({ change, id }) => `${change} ${id}`);

test('steps are matched by their ids: added, removed, changed and moved', () => {
  const before = bot(ask('a'), ask('b'), ask('c'), ask('gone'));
  const after = bot(ask('a', 'new text'), ask('c'), ask('b'), ask('new'));
  expect(kindsOf(before, after)).toEqual(['changed a', 'moved c', 'moved b', 'added new', 'removed gone']);
});

test('an inserted step moves no other one', () => {
  expect(kindsOf(bot(ask('a'), ask('b')), bot(ask('new'), ask('a'), ask('b')))).toEqual(['added new']);
});

test('a step that is new or gone has its members on one side', () => {
  const { steps } = changesBetween(bot(ask('gone')), bot(ask('new')));
  expect(steps.map(({ values }) => values.find(({ path }) => path === 'text'))).toEqual([
    { path: 'text', after: 'new' },
    { path: 'text', before: 'gone' },
  ]);
});

test('a step that has changed and moved has both places', () => {
  const [first] = changesBetween(bot(ask('a'), ask('b')), bot(ask('b', 'other'), ask('a'))).steps;
  expect(first).toMatchObject({ id: 'b', change: 'changed', places: [2, 1] });
});
