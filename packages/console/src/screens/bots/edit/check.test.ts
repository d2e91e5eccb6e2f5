import { expect, test } from 'vitest';
import { checkDefinition, refusalMarks } from './check.ts';

const definition = {
  schemaVersion: 1,
  key: 'thanks',
  name: 'Thanks',
  type: 'Feedback',
  steps: [
    { id: 'rating', kind: 'ask', text: 'How was it?', input: { type: 'rating' }, next: 'end' },
    { id: 'end', kind: 'end', text: 'Thank you!' },
  ],
};
const text = (value: unknown): string => JSON.stringify(value, undefined, 2);

test('a valid definition has no faults', () => {
  expect(checkDefinition(text(definition))).toMatchObject({ definition, marks: [] });
});

test('a fault is at its value', () => {
  const faulty = text({ ...definition, steps: [{ ...definition.steps[0], next: 'nowhere' }] });
  const { definition: none, marks } = checkDefinition(faulty);
  expect(none).toBeUndefined();
  expect(marks.map(({ from, to }) => faulty.slice(from, to))).toContain('"nowhere"');
});

test('another key than that of the bot is a fault at the key, and so is what the service refuses', () => {
  const { definition: none, marks } = checkDefinition(text(definition), 'other');
  expect(none).toBeUndefined();
  const refused = refusalMarks(text(definition), [
    { pointer: '/definition/steps/1/text', detail: 'Is not allowed' },
    { pointer: '/note', detail: 'Too long' },
  ]);
  const shown = [...marks, ...refused].map(({ from, to }) => text(definition).slice(from, to));
  expect(shown).toEqual(['"thanks"', '"Thank you!"']);
  expect(checkDefinition(text(definition), 'thanks').marks).toEqual([]);
});

test('a text that is not JSON has one fault, at the first such place', () => {
  expect(checkDefinition('{"key": thanks}').marks).toEqual([
    {
      from: 8,
      to: 14,
      severity: 'error',
      message: 'This is not a JSON value. Strings need double quotes.',
      pointer: '',
    },
  ]);
});
