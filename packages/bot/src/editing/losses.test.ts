import { expect, test } from 'vitest';
import { type Path, removeValue, setValue } from './json-edits.ts';
import { brokenBy } from './losses.ts';

const choices = [
  { value: 'a', label: 'Apples' },
  { value: 'p', label: 'Pears' },
];
const fruit = {
  id: 'fruit',
  kind: 'ask',
  text: 'Fruit?',
  input: { type: 'choice', choices, other: { label: 'Own' } },
};
const table = {
  id: 'table',
  kind: 'ask',
  text: 'How?',
  input: {
    type: 'matrix',
    rows: [
      { value: 'price', label: 'Price' },
      { value: 'taste', label: 'Taste' },
    ],
    columns: choices,
  },
};
const find = {
  id: 'find',
  kind: 'llm',
  mode: 'extract',
  prompt: 'Find {{answers.fruit}}',
  saveAs: 'found',
  fields: { size: { input: { type: 'number' } }, colour: { input: { type: 'text' } } },
  evaluation: { kept: 'colour' },
  onError: { goto: 'end' },
};
const set = { id: 'set', kind: 'set', evaluation: { sum: 'answers.found.size + 1.0', other: "'x'" } };
const end = {
  id: 'end',
  kind: 'end',
  text: { en: 'Bye {{context.name|you}}, {{evaluation.other}}', de: '{{answers.fruit}}' },
  when: "answers.fruit == 'p' || 'a' in [answers.fruit] || has(others.fruit) || answers.table.price == 'a'",
};
const bot = {
  context: [{ name: 'name' }],
  evaluation: { kept: {}, sum: {}, other: {} },
  steps: [fruit, table, find, set, end],
};
const text = JSON.stringify(bot);
/** Returns where a bot is broken by a change of its text, as `step kind`. */
const broken = (after: string, before = text): string[] =>
  brokenBy(objectIn(before), objectIn(after)).map(({ step, kind }) => `${step} ${kind}`);
const objectIn = (json: string) => JSON.parse(json) as Record<string, unknown>;

test.each<[what: string, path: Path, broken: string[]]>([
  ['a property of the context', ['context', 0], ['4 text']],
  ['a choice that is compared', ['steps', 0, 'input', 'choices', 1], ['4 expression']],
  ['own words', ['steps', 0, 'input', 'other'], ['4 expression']],
  ['a row of a table', ['steps', 1, 'input', 'rows', 0], ['4 expression']],
  ['a row that nobody reads', ['steps', 1, 'input', 'rows', 1], []],
  ['a column that is compared', ['steps', 1, 'input', 'columns', 0], ['4 expression']],
  ['a field of a model', ['steps', 2, 'fields', 'size'], ['3 expression']],
  ['a field that is kept', ['steps', 2, 'fields', 'colour'], ['2 key']],
  ['the name of what a model finds', ['steps', 2, 'saveAs'], ['3 expression']],
  ['a value that is computed', ['steps', 3, 'evaluation', 'other'], ['4 text']],
  ['a value that nobody reads', ['steps', 3, 'evaluation', 'sum'], []],
  ['a declared result', ['evaluation', 'kept'], ['2 key']],
  ['a condition', ['steps', 4, 'when'], []],
])('a removal names what refers to it: %s', (_, path, expected) => {
  expect(broken(removeValue(text, path))).toEqual(expected);
});

test.each<[what: string, path: Path, value: unknown, broken: string[]]>([
  ['another type', ['steps', 0, 'input'], { type: 'nps' }, ['4 expression']],
  ['another name of a choice', ['steps', 0, 'input', 'choices', 1, 'value'], 'b', ['4 expression']],
  ['another text', ['steps', 0, 'text'], 'Which?', []],
  ['a choice more', ['steps', 0, 'input', 'choices', 2], { value: 'c', label: 'C' }, []],
  ['a question that has a fault for a moment', ['steps', 0, 'input', 'choices'], 'none', []],
])('a change names what it breaks: %s', (_, path, value, expected) => {
  expect(broken(setValue(text, path, value))).toEqual(expected);
});

test('what was broken before is not named again', () => {
  const before = removeValue(text, ['context', 0]);
  expect(broken(removeValue(before, ['steps', 0, 'input', 'choices', 1]), before)).toEqual(['4 expression']);
});
