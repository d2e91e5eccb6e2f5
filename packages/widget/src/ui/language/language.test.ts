import { describe, expect, test } from 'vitest';
import { languageOf } from './language.ts';
import { strings } from './strings.ts';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the widget’s own texts', () => {
  test.each(Object.keys(strings))('are complete in %s, with the values of the English ones', (tag) => {
    const own = Object.entries(strings[tag] ?? {});
    expect(own.map(([key]) => key).toSorted()).toEqual(Object.keys(strings.en).toSorted());
    for (const [key, text] of own) {
      expect(text.trim(), key).not.toBe('');
      expect(placeholders(text), key).toEqual(placeholders(strings.en[key as keyof typeof strings.en]));
    }
  });

  test('fill values in once, as text', () => {
    expect(languageOf('en').say('outOf', { n: '{max}', max: 5 })).toBe('{max} of 5');
  });
});

describe('a page’s own texts', () => {
  test('replace the widget’s in any language; the others are unchanged', () => {
    const swedish = languageOf('sv-SE', { send: 'Skicka', launcher: 'Chatta med {bot}' });
    expect(swedish.ownTag).toBe('sv');
    expect(swedish.say('send')).toBe('Skicka');
    expect(swedish.say('launcher', { bot: 'Bo' })).toBe('Chatta med Bo');
    expect(swedish.say('skip')).toBe('Skip');
    expect(languageOf('de', { send: 'Los' }).say('skip')).toBe(languageOf('de').say('skip'));
    expect(languageOf('de', { send: undefined }).say('send')).toBe('Senden');
  });
});

describe('a language', () => {
  test('is found by its base, and falls back to English', () => {
    expect(languageOf('de-AT').say('send')).toBe('Senden');
    expect(languageOf('sv').say('send')).toBe('Send');
    expect(languageOf('sv').ownTag).toBe('en');
    expect(languageOf('not a tag').tag).toBe('en');
    expect(languageOf('de_DE').tag).toBe('de-DE');
    expect(languageOf('de_DE').say('send')).toBe('Senden');
    expect(languageOf('constructor').say('send')).toBe('Send');
  });

  test('runs from right to left where it is written so', () => {
    expect(languageOf('ar-EG').direction).toBe('rtl');
    expect(languageOf('he').direction).toBe('rtl');
    expect(languageOf('fr').direction).toBe('ltr');
  });

  test('shows the day of an instant only if it is not today', () => {
    const noon = Date.parse('2030-05-04T12:00:00') / 1000;
    expect(languageOf('en').time(noon, noon + 60)).toBe('12:00 PM');
    expect(languageOf('en').time(noon, noon + 86_400)).toContain('May 4, 2030');
  });

  test('formats a day and leaves other texts unchanged', () => {
    expect(languageOf('en').day('2030-05-04')).toBe('May 4, 2030');
    for (const text of ['12:30', '1234-56-78', '2026-02-31']) expect(languageOf('en').day(text)).toBe(text);
  });

  test.each([
    ['fa', '۲۰۳۰'],
    ['th', '2030'],
    ['en-u-ca-islamic', '2030'],
  ])('formats a day in %s in the calendar of its input field', (tag, year) => {
    expect(languageOf(tag).day('2030-05-04')).toContain(year);
  });

  test.each([
    ['en', 12.125, '12.125'],
    ['de', 12.125, '12,125'],
    ['pt-BR', -1_234_567.5, '-1234567,5'],
    ['de-CH', 12.125, '12.125'],
    ['ar-EG', 12.125, '12.125'],
    ['sv', -4, '-4'],
    ['fr', 1e-7, '0,0000001'],
    ['es', 1e21, '1000000000000000000000'],
  ])('of %s formats the number %d as it is typed', (tag, value, text) => {
    expect(languageOf(tag).number(value)).toBe(text);
  });
});
