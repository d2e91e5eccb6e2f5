import { expect, test } from 'vitest';
import schema from '../../bot-v1.schema.json' with { type: 'json' };
import { questionTypes } from '../questions/types.ts';
import { validateDefinition } from '../validation/definition.ts';
import {
  type Control,
  type Field,
  inputFields,
  inputTypes,
  questionKind,
  type Schema,
  stepFields,
  stepKinds,
} from './forms.ts';
import { knownValues } from './known-values.ts';
import { inputOfType, newInput, newStep } from './new-values.ts';

const root: Schema = schema;
const say = (name: string, number?: number): string => `${name}${number ?? ''}`;

test('each type of question has a form with all of its options, and begins as a valid question', () => {
  expect(inputTypes(root).toSorted()).toEqual(questionTypes.map(({ name }) => name).toSorted());
  for (const { name, options } of questionTypes) {
    expect(inputFields(root, name).map((field) => field.name)).toEqual(Object.keys(options));
    const bot = {
      schemaVersion: 1,
      key: 'k',
      name: 'n',
      type: 't',
      steps: [
        { ...newStep(root, { kind: 'ask', type: name }, 'q', say), text: 'Q' },
        { id: 'end', kind: 'end' },
      ],
    };
    expect(validateDefinition(bot), name).toHaveProperty('definition');
    expect(
      knownValues(bot).find((value) => value.name === 'answers.q'),
      name,
    ).toMatchObject({ question: 'Q' });
  }
});

test('each type has words for people in both languages', () => {
  for (const { title } of questionTypes)
    expect(Object.values(title).every((words) => words.length > 2)).toBe(true);
});

const kindsIn = (fields: Field[]): string[] => fields.flatMap(({ control }) => kindsOf(control));
const kindsOf = (control: Control): string[] => {
  if (control.kind === 'object') return kindsIn(control.fields);
  return control.kind === 'list' || control.kind === 'map' ? kindsOf(control.item) : [control.kind];
};

test('each kind of steps has a form', () => {
  expect(stepKinds(root)).toEqual([
    { kind: 'say' },
    { kind: 'ask' },
    { kind: 'set' },
    { kind: 'branch' },
    ...['classify', 'extract', 'summarise', 'chat'].map((mode) => ({ kind: 'llm', mode })),
    { kind: 'end' },
  ]);
  const ask = stepFields(root, questionKind(root));
  expect(ask.map(({ name, control, isRequired }) => [name, control.kind, isRequired])).toEqual([
    ['when', 'expression', false],
    ['next', 'next', false],
    ['text', 'words', true],
    ['input', 'input', true],
    ['required', 'flag', false],
    ['evaluation', 'name', false],
    ['pii', 'flag', false],
    ['prefill', 'line', false],
    ['retry', 'object', false],
  ]);
  expect(kindsIn(ask.filter(({ name }) => name === 'retry'))).toEqual(['words', 'number', 'name']);
  expect(kindsIn(stepFields(root, 'llm', 'extract'))).toContain('input');
  expect(stepFields(root, 'unknown')).toEqual([]);
  expect(inputFields(root, 'unknown')).toEqual([]);
});

test('a new rule has the words of its fields', () => {
  expect(newInput(root, 'choice', say)).toEqual({
    type: 'choice',
    choices: [
      { value: 'option1', label: 'label1' },
      { value: 'option2', label: 'label2' },
    ],
  });
  expect(newStep(root, { kind: 'llm', mode: 'classify' }, 'm', say)).toMatchObject({
    prompt: '',
    labels: ['option1', 'option2'],
  });
});

test('a rule of another type keeps the options that both have', () => {
  const choice = { type: 'choice', choices: [{ value: 'a', label: 'A' }], order: 'random' };
  expect(inputOfType(root, { type: 'rating', max: 7, labels: { low: 'l', high: 'h' } }, 'nps', say)).toEqual({
    type: 'nps',
    labels: { low: 'l', high: 'h' },
  });
  expect(inputOfType(root, choice, 'ranking', say)).toMatchObject({ type: 'ranking', order: 'random' });
  expect(inputOfType(root, choice, 'text', say)).toEqual({ type: 'text' });
});
