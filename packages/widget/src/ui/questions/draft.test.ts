import { describe, expect, test } from 'vitest';
import type { Answer } from '../../model.ts';
import { chosenIn, draftOf, type Input } from './draft.ts';
import { fieldOf, loadField } from './types.ts';
import { loadedFields } from './loaded-fields.ts';
import type { LoadedField } from './loaded-field.ts';
import { toggled } from './types/multi-choice.tsx';
import { languageOf } from '../language/language.ts';

const ask = (input: Partial<Input> & Pick<Input, 'type'>): Input => ({
  stepId: 'step',
  required: true,
  ...input,
});
const english = languageOf('en');
const choices = ['a', 'b', 'c', 'd'].map((value) => ({ value, label: value.toUpperCase() }));

describe('a draft', () => {
  test.each<[Input, string | string[], Answer, string]>([
    [ask({ type: 'text', minLength: 9 }), ' hello ', { text: 'hello' }, 'hello'],
    [ask({ type: 'email' }), 'ann', { text: 'ann' }, 'ann'],
    [ask({ type: 'number', max: 2 }), '3,5', { text: '3,5' }, '3,5'],
    [ask({ type: 'number', prefill: 12.125 }), '12.125', { value: 12.125 }, '12.125'],
    [ask({ type: 'number', prefill: 12.125 }), '12.126', { text: '12.126' }, '12.126'],
    [ask({ type: 'date', min: '2030-01-01' }), '2029-01-01', { text: '2029-01-01' }, '2029-01-01'],
    [ask({ type: 'choice', choices }), 'b', { value: 'b' }, 'B'],
    [ask({ type: 'multiChoice', choices }), ['c', 'a'], { value: ['a', 'c'] }, 'A, C'],
    [ask({ type: 'multiChoice', choices, minSelections: 0 }), [], { value: [] }, '–'],
    [
      ask({ type: 'multiChoice', choices, minSelections: 0 }),
      draftOf(undefined, english),
      { value: [] },
      '–',
    ],
    [ask({ type: 'nps', min: 0, max: 10 }), '0', { value: 0 }, '0'],
    [ask({ type: 'yesNo', labels: { yes: 'Sure', no: 'Never' } }), 'no', { value: false }, 'Never'],
  ])('for %o of %j is an answer', (input, draft, answer, words) => {
    expect(fieldOf(input).readDraft(input, draft, english)).toEqual({ answer, words });
  });

  test.each<[Input, string | string[], 'empty' | 'invalid']>([
    [ask({ type: 'text' }), '  ', 'empty'],
    [ask({ type: 'multiChoice', choices }), [], 'empty'],
    [ask({ type: 'multiChoice', choices }), draftOf(undefined, english), 'empty'],
    [ask({ type: 'multiChoice', choices, maxSelections: 1 }), ['a', 'b'], 'invalid'],
    [ask({ type: 'multiChoice', choices, minSelections: 2 }), ['a'], 'invalid'],
  ])('for %o of %j is none yet', (input, draft, fault) => {
    expect(fieldOf(input).readDraft(input, draft, english)).toEqual({ fault });
  });

  test('of a value is its content in a field', () => {
    expect(draftOf(false, english)).toBe('no');
    expect(draftOf(0, english)).toBe('0');
    expect(draftOf(12.125, languageOf('de'))).toBe('12,125');
    expect(draftOf(['a', 'b'], english)).toEqual(['a', 'b']);
    expect(draftOf(undefined, english)).toBe('');
  });

  test('that is empty has no selection', () => {
    expect(chosenIn(draftOf(undefined, english))).toEqual([]);
    expect(chosenIn('a')).toEqual(['a']);
    expect(chosenIn(['a', 'b'])).toEqual(['a', 'b']);
  });
});

describe('a question of a type that is loaded', () => {
  const { ranking, matrix, consent, ownWords } = loadedFields;
  const rank = ask({ type: 'ranking', choices, rankMax: 2 });
  const grid = ask({ type: 'matrix', rows: choices.slice(0, 2), columns: choices, rowsRequired: true });
  const terms = ask({ type: 'consent', label: 'I agree' });
  const other = { label: 'Else', maxLength: 9 };
  const one = ask({ type: 'choice', choices, other });
  const none = { value: 'e', label: 'E', exclusive: true };
  const several = ask({
    type: 'multiChoice',
    choices: [...choices, none],
    other,
    minSelections: 2,
    maxSelections: 6,
  });

  test.each<[LoadedField | undefined, Input, string | string[], Answer, string]>([
    [ranking, rank, '', { value: ['a', 'b'] }, '1. A\n2. B'],
    [ranking, rank, ['c'], { value: ['c', 'a'] }, '1. C\n2. A'],
    [matrix, grid, ['b=d', 'a=c'], { value: { a: 'c', b: 'd' } }, 'A: C\nB: D'],
    [matrix, { ...grid, rowsRequired: false }, ['b=d'], { value: { b: 'd' } }, 'B: D'],
    [consent, terms, 'yes', { value: true }, 'I agree'],
    [consent, { ...terms, required: false }, '', { value: false }, '✗ I agree'],
    [ownWords, one, 'b', { value: 'b' }, 'B'],
    [ownWords, one, ['other= x=y '], { value: { other: 'x=y' } }, 'x=y'],
    [ownWords, several, ['other=x', 'b'], { value: ['b', { other: 'x' }] }, 'B, x'],
    [ownWords, several, ['e'], { value: ['e'] }, 'E'],
  ])('%#: %o of %j is an answer', (field, input, draft, answer, words) => {
    expect(field?.readDraft(input, draft, english)).toEqual({ answer, words });
  });

  test.each<[LoadedField | undefined, Input, string | string[], 'empty' | 'invalid']>([
    [matrix, grid, '', 'empty'],
    [matrix, grid, ['a=c'], 'invalid'],
    [matrix, grid, ['a=x', 'b=d'], 'invalid'],
    [consent, terms, '', 'empty'],
    [ownWords, one, '', 'empty'],
    [ownWords, one, ['other= '], 'empty'],
    [ownWords, several, ['b'], 'invalid'],
  ])('%#: %o of %j is none yet', (field, input, draft, fault) => {
    expect(field?.readDraft(input, draft, english)).toEqual({ fault });
  });

  test('has the draft of a value', () => {
    expect(draftOf({ a: 'c', b: 'd' }, english)).toEqual(['a=c', 'b=d']);
    expect(draftOf({ other: 'x' }, english)).toEqual(['other=x']);
    expect(draftOf(['a', { other: 'x' }], english)).toEqual(['a', 'other=x']);
  });

  test('is answered by text as long as it is not loaded, and if it is unknown', async () => {
    const unknown = ask({ type: 'hologram' });
    expect(fieldOf(rank).readDraft(rank, 'b a', english)).toEqual({ answer: { text: 'b a' }, words: 'b a' });
    await loadField(rank);
    expect(loadField(rank)).toBeUndefined();
    expect(fieldOf(rank).readDraft(rank, '', english)).toMatchObject({ answer: { value: ['a', 'b'] } });
    expect(loadField(unknown)).toBeUndefined();
    expect(fieldOf(unknown).readDraft(unknown, 'hi', english)).toEqual({
      answer: { text: 'hi' },
      words: 'hi',
    });
  });

  test('is loaded for no other question', () => {
    expect(loadField(ask({ type: 'choice', choices }))).toBeUndefined();
    expect(loadField(ask({ type: 'nps' }))).toBeUndefined();
  });
});

test('an exclusive choice is alone in a selection', () => {
  const input = ask({
    type: 'multiChoice',
    choices: [...choices, { value: 'e', label: 'E', exclusive: true }],
  });
  expect(toggled(input, ['a', 'b'], 'e')).toEqual(['e']);
  expect(toggled(input, ['e'], 'a')).toEqual(['a']);
  expect(toggled(input, ['e'], 'e')).toEqual([]);
  expect(
    fieldOf({ ...input, minSelections: 2 } as Input).readDraft(
      { ...input, minSelections: 2 },
      ['e'],
      english,
    ),
  ).toEqual({
    answer: { value: ['e'] },
    words: 'E',
  });
});

describe('a hint', () => {
  test.each<[Input, string]>([
    [ask({ type: 'multiChoice', choices, minSelections: 1, maxSelections: 4 }), 'Choose one or more'],
    [ask({ type: 'multiChoice', choices, minSelections: 2, maxSelections: 2 }), 'Choose 2'],
    [ask({ type: 'multiChoice', choices, minSelections: 2, maxSelections: 4 }), 'Choose at least 2'],
    [ask({ type: 'multiChoice', choices, minSelections: 1, maxSelections: 2 }), 'Choose up to 2'],
    [ask({ type: 'multiChoice', choices, minSelections: 2, maxSelections: 3 }), 'Choose 2 to 3'],
    [ask({ type: 'multiChoice', choices, minSelections: 0, maxSelections: 2 }), 'Choose up to 2'],
    [ask({ type: 'multiChoice', choices, minSelections: 0, maxSelections: 4 }), 'Choose up to 4'],
    [ask({ type: 'number', min: 0, max: 60 }), 'From 0 to 60'],
    [ask({ type: 'date', min: '2030-05-04' }), 'From May 4, 2030'],
    [ask({ type: 'time', max: '18:00' }), 'Up to 18:00'],
    [ask({ type: 'text', minLength: 5 }), 'At least 5 characters'],
    [ask({ type: 'nps', min: 0, max: 10 }), ''],
  ])('of %o shows its bounds', (input, hint) => {
    expect(fieldOf(input).hintOf(input, languageOf('en'))).toBe(hint);
  });

  test('formats numbers as they are typed', () => {
    const input = ask({ type: 'number', min: 0.5, max: 12.125 });
    expect(fieldOf(input).hintOf(input, languageOf('de'))).toBe('Von 0,5 bis 12,125');
  });
});
