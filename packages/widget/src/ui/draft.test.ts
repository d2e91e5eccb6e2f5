import { describe, expect, test } from 'vitest';
import { chosenIn, draftOf, hintOf, type Input, readDraft } from './draft.ts';
import { languageOf } from './language.ts';

const ask = (input: Partial<Input> & Pick<Input, 'type'>): Input => ({
  stepId: 'step',
  required: true,
  ...input,
});
const english = languageOf('en');
const choices = ['a', 'b', 'c', 'd'].map((value) => ({ value, label: value.toUpperCase() }));

/** Of every shape that a mark before three digits could change. */
const numbers = [0, 0.5, 0.125, 12.125, 1.001, 999.999, 1000, 1234.567, 45_000, 1_234_567.125, 1e15]
  .concat([0.1 + 0.2, 1e-7, 1.5e-10, 1e21, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, Number.MAX_VALUE])
  .flatMap((value) => (value === 0 ? value : [value, -value]));

/** Every language that the platform writes numbers in, and regions that write them in another way than their language. */
function everyTag(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const regions = ['ar-EG', 'ar-LB', 'ar-MA', 'de-AT', 'de-CH', 'en-IN', 'en-ZA', 'es-MX', 'fr-CH', 'pt-PT'];
  return [...Intl.NumberFormat.supportedLocalesOf(pairs), ...regions];
}

describe('a draft', () => {
  test.each<[Input, string | string[], unknown, string]>([
    [ask({ type: 'text' }), ' hello ', 'hello', 'hello'],
    [ask({ type: 'email' }), 'ann@example.com', 'ann@example.com', 'ann@example.com'],
    [ask({ type: 'choice', choices }), 'b', 'b', 'B'],
    [ask({ type: 'multiChoice', choices }), ['c', 'a'], ['a', 'c'], 'A, C'],
    [ask({ type: 'multiChoice', choices, minSelections: 0 }), [], [], '–'],
    [ask({ type: 'multiChoice', choices, minSelections: 0 }), draftOf(undefined, english), [], '–'],
    [ask({ type: 'nps', min: 0, max: 10 }), '0', 0, '0'],
    [ask({ type: 'yesNo', labels: { yes: 'Sure', no: 'Never' } }), 'no', false, 'Never'],
    [ask({ type: 'number' }), '3,5', 3.5, '3,5'],
    [ask({ type: 'number' }), '٢٥', 25, '٢٥'],
    [ask({ type: 'number' }), '\u22124', -4, '\u22124'],
    [ask({ type: 'date', min: '2030-01-01' }), '2030-01-01', '2030-01-01', '2030-01-01'],
    [ask({ type: 'time', max: '12:00' }), '11:59', '11:59', '11:59'],
  ])('for %o of %j is an answer', (input, draft, value, words) => {
    expect(readDraft(input, draft, languageOf('en'))).toEqual({ answer: { value }, words });
  });

  test.each<[Input, string | string[], 'empty' | 'invalid']>([
    [ask({ type: 'text' }), '  ', 'empty'],
    [ask({ type: 'multiChoice', choices }), [], 'empty'],
    [ask({ type: 'multiChoice', choices }), draftOf(undefined, english), 'empty'],
    [ask({ type: 'multiChoice', choices, maxSelections: 1 }), ['a', 'b'], 'invalid'],
    [ask({ type: 'multiChoice', choices, minSelections: 2 }), ['a'], 'invalid'],
    [ask({ type: 'text', minLength: 3 }), 'ab', 'invalid'],
    [ask({ type: 'text', maxLength: 3 }), 'abcd', 'invalid'],
    [ask({ type: 'email' }), 'ann', 'invalid'],
    [ask({ type: 'number' }), 'many', 'invalid'],
    [ask({ type: 'number', min: 1 }), '0', 'invalid'],
    [ask({ type: 'number', max: 5 }), '6', 'invalid'],
    [ask({ type: 'date', min: '2030-01-01' }), '2029-12-31', 'invalid'],
    [ask({ type: 'time', max: '12:00' }), '12:01', 'invalid'],
  ])('for %o of %j is none yet', (input, draft, fault) => {
    expect(readDraft(input, draft, languageOf('en'))).toEqual({ fault });
  });

  test.each([
    ['en', '45,000', 45_000],
    ['en', '1,234,567.5', 1_234_567.5],
    ['en', '3,5', 3.5],
    ['de', '45.000', 45_000],
    ['de', '45.000,50', 45_000.5],
    ['de', '3.5', 3.5],
    ['fr', '45 000,5', 45_000.5],
    ['ar', '٤٥٬٠٠٠', 45_000],
  ])('in %s reads the number %s as people there mean it', (tag, draft, value) => {
    const read = readDraft(ask({ type: 'number' }), draft, languageOf(tag));
    expect(read).toEqual({ answer: { value }, words: draft });
  });

  test('of a value is what a field shows of it', () => {
    expect(draftOf(false, english)).toBe('no');
    expect(draftOf(0, english)).toBe('0');
    expect(draftOf(12.125, languageOf('de'))).toBe('12,125');
    expect(draftOf(['a', 'b'], english)).toEqual(['a', 'b']);
    expect(draftOf(undefined, english)).toBe('');
  });

  test('of a number is read as that number, in every language there is', () => {
    const languages = everyTag().map((tag) => languageOf(tag));
    expect(languages.length).toBeGreaterThan(100);
    for (const language of languages) {
      for (const value of numbers) {
        const draft = draftOf(value, language);
        const read = readDraft(ask({ type: 'number' }), draft, language);
        expect(read, `${value} in ${language.tag}`).toEqual({ answer: { value }, words: draft });
      }
    }
  });

  test('that is empty has nothing chosen in it', () => {
    expect(chosenIn(draftOf(undefined, english))).toEqual([]);
    expect(chosenIn('a')).toEqual(['a']);
    expect(chosenIn(['a', 'b'])).toEqual(['a', 'b']);
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
  ])('of %o tells its bounds', (input, hint) => {
    expect(hintOf(input, languageOf('en'))).toBe(hint);
  });

  test('writes numbers as they are typed', () => {
    const input = ask({ type: 'number', min: 0.5, max: 12.125 });
    expect(hintOf(input, languageOf('de'))).toBe('Von 0,5 bis 12,125');
  });
});
