import { expect, test } from 'vitest';
import schema from '../../bot-v1.schema.json' with { type: 'json' };
import { questionTypes } from '../questions/types.ts';
import { validateDefinition } from '../validation/definition.ts';
import { templateIds, templateOf } from '../templates/templates.ts';
import {
  botFields,
  type Control,
  type Field,
  fixedMembers,
  inputFields,
  inputTypes,
  questionKind,
  type Schema,
  stepFields,
  stepKinds,
} from './forms.ts';
import { knownValues } from './known-values.ts';
import { inputOfType, newEntry, newInput, newStep } from './new-values.ts';

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

/** Returns the places of a value that no field of a form reaches. */
function unreached(value: unknown, control: Control | undefined, place: string): string[] {
  if (!control) return [place];
  if (control.kind === 'words' || typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value);
  switch (control.kind) {
    case 'input':
      return unreachedIn(value, inputFields(root, Reflect.get(value, 'type')), place, ['type']);
    case 'object':
      return unreachedIn(value, control.fields, place);
    case 'list':
    case 'map':
      return inside.flatMap(([name, one]) => unreached(one, control.item, `${place}/${name}`));
    case 'next':
      return [];
    default:
      return [place];
  }
}

function unreachedIn(value: object, fields: Field[], place: string, others: string[] = []): string[] {
  return Object.entries(value)
    .filter(([name]) => !others.includes(name))
    .flatMap(([name, one]) =>
      unreached(one, fields.find((field) => field.name === name)?.control, `${place}/${name}`),
    );
}

test('forms reach all that the templates use: nobody needs JSON for it', () => {
  for (const id of templateIds) {
    const { steps, ...bot } = templateOf(id, 'en')?.definition ?? {};
    expect(unreachedIn(bot, botFields(root), id, [...fixedMembers.bot])).toEqual([]);
    for (const step of steps as Record<string, unknown>[]) {
      const fields = stepFields(root, step['kind'], step['mode']);
      expect(unreachedIn(step, fields, id, ['id', ...fixedMembers.step])).toEqual([]);
    }
  }
});

/** Follows references. */
function resolved(schema: Schema): Schema {
  const found = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  return found ? resolved(found) : schema;
}

/** Returns the members of an object's schema that neither a field nor `others` has, also inside of fields. */
function unedited(given: Schema, fields: readonly Field[], others: readonly string[], at: string): string[] {
  return Object.entries(resolved(given).properties ?? {}).flatMap(([name, member = {}]) => {
    const place = `${at}/${name}`;
    const control = fields.find((field) => field.name === name)?.control;
    if (control) return uneditedIn(member, control, place);
    return others.includes(name) ? [] : [place];
  });
}

function uneditedIn(given: Schema, control: Control, at: string): string[] {
  const { items, additionalProperties: other } = resolved(given);
  if (control.kind === 'object') return unedited(given, control.fields, [], at);
  if (control.kind === 'list') return uneditedIn(items ?? {}, control.item, at);
  return control.kind === 'map' && typeof other === 'object' ? uneditedIn(other, control.item, at) : [];
}

test('each member that the schema has can be edited, or is fixed', () => {
  expect(unedited(root, botFields(root), [...fixedMembers.bot, 'steps'], '')).toEqual([]);
  const steps = resolved(resolved(root).properties?.['steps'] ?? {}).items?.oneOf ?? [];
  const kinds = steps.flatMap((one) => resolved(one).oneOf ?? [one]);
  expect(kinds).toHaveLength(stepKinds(root).length);
  for (const kind of kinds) {
    const [name, mode] = ['kind', 'mode'].map((member) => kind.properties?.[member]?.const);
    const fields = stepFields(root, name, mode);
    expect(unedited(kind, fields, [...fixedMembers.step, 'id'], String(mode ?? name))).toEqual([]);
  }
  for (const input of root.$defs?.['input']?.oneOf ?? []) {
    const { const: only, enum: several = [only] } = input.properties?.['type'] ?? {};
    const fields = inputFields(root, several[0]);
    expect(unedited(input, fields, ['type'], String(several[0]))).toEqual([]);
  }
});

test('each field of a bot beside its steps has a form', () => {
  expect(botFields(root).map(({ name, control }) => [name, control.kind])).toEqual([
    ['name', 'line'],
    ['description', 'line'],
    ['type', 'line'],
    ['typeLabel', 'line'],
    ['showTranscript', 'flag'],
    ['revise', 'flag'],
    ['locale', 'locale'],
    ['stalledAfterSeconds', 'duration'],
    ['reminders', 'list'],
    ['context', 'list'],
    ['evaluation', 'map'],
  ]);
  const [stalled] = botFields(root).filter(({ name }) => name === 'stalledAfterSeconds');
  expect(stalled?.control).toMatchObject({ min: 60, max: 2_592_000, hasNever: true, otherwise: 86_400 });
  const reminders = botFields(root).find(({ name }) => name === 'reminders')?.control;
  const made = reminders?.kind === 'list' ? [1, 2, 3].map((n) => newEntry(root, reminders, say, n)) : [];
  expect(made).toEqual([{ afterSeconds: 86_400 }, { afterSeconds: 172_800 }, { afterSeconds: 259_200 }]);
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
  expect(kindsIn(ask.filter(({ name }) => name === 'retry'))).toEqual(['words', 'numeric', 'name']);
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
  expect(newInput(root, 'yesNo', say)).toEqual({
    type: 'yesNo',
    labels: { yes: 'labels.yes', no: 'labels.no' },
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
