import { inputFields, inputTypes, type Schema, stepFields, stepKinds } from '@parley/bot/editing/forms';
import { newValue } from '@parley/bot/editing/new-values';
import schema from '@parley/bot/schema' with { type: 'json' };
import { expect, test } from 'vitest';
import { de } from '../../../../../texts/de/de.ts';
import { en } from '../../../../../texts/en/en.ts';

const root = schema as Schema;

/** Returns the names of all members that a schema describes, at any depth. */
function membersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, ...rest } = value as Schema;
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(membersOf),
    ...membersOf(Object.values(rest)),
  ];
}

const { properties = {}, ...shared } = root;
const inside = new Set([...membersOf(Object.values(properties)), ...membersOf(Object.values(shared))]);
const without = (names: Iterable<string>, words: Record<string, string>) =>
  [...names].filter((name) => !Object.hasOwn(words, name));

test.each([
  ['English', en],
  ['German', de],
])('each field of the format has words: %s', (_language, { steps: t }) => {
  expect([...inside]).toEqual(expect.arrayContaining(['goto', 'minSelections', 'low', 'onError', 'pii']));
  expect(without(Object.keys(properties), t.bot)).toEqual([]);
  expect(without(inside, t.fields)).toEqual([]);
  const kinds = stepKinds(root).map(({ kind, mode }) => mode ?? kind);
  expect(without(kinds, t.kinds)).toEqual([]);
  expect(without(kinds, t.kindsAbout)).toEqual([]);
});

test.each([
  ['English', en],
  ['German', de],
])(
  'customers read no name of a field before the author writes something else: %s',
  (_language, { steps: t }) => {
    const asked = new Set<string>();
    const say = (name: string, number?: number): string => {
      if (number === undefined) asked.add(name);
      return name;
    };
    const fields = [
      ...inputTypes(root).flatMap((type) => inputFields(root, type)),
      ...stepKinds(root).flatMap(({ kind, mode }) => stepFields(root, kind, mode)),
    ];
    for (const field of fields) newValue(root, field, say);
    asked.delete('text');
    expect([...asked]).toEqual(
      expect.arrayContaining(['labels.low', 'labels.yes', 'other.label', 'retry.text']),
    );
    expect(without(asked, t.firstWords)).toEqual([]);
  },
);
