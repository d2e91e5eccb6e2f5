import { describe, expect, test } from 'vitest';
import { refusalText } from '../src/questions/refusal.ts';
import { type InputRule, typeOf } from '../src/questions/types.ts';

const now = Date.parse('2026-11-21T12:00:00Z') / 1000;

/** Returns the value that free text means to a rule. */
export function readText(rule: InputRule, text: string, locale = 'en'): unknown {
  return typeOf(rule).readText(rule, text, { locale, ownLocale: 'en' });
}

/** Returns what the typed text is stored as, or the text of the refusal. */
export function takeText(rule: InputRule, text: string, locale = 'en'): unknown {
  const checked = typeOf(rule).checkValue(rule, readText(rule, text, locale), 0);
  return 'value' in checked ? checked.value : refusalText(checked, { locale, ownLocale: 'en' });
}

/** Tests what free text means in English; undefined for nothing. */
export function reads(rows: [rule: InputRule, text: string, value: unknown][]): void {
  describe('free text', () => {
    test.each(rows)('%j: %j', (rule, text, value) => expect(readText(rule, text)).toEqual(value));
  });
}

/** Tests what free text means in a language. */
export function readsIn(rows: [rule: InputRule, locale: string, text: string, value: unknown][]): void {
  describe('a choice is matched by the label that the customer reads', () => {
    test.each(rows)('%j in %s: %s', (rule, locale, text, value) =>
      expect(readText(rule, text, locale)).toBe(value),
    );
  });
}

/** Tests valid values and their canonical form. */
export function accepts(rows: [rule: InputRule, value: unknown, canonical: unknown][]): void {
  describe('valid values, in canonical form', () => {
    test.each(rows)('%j: %j', (rule, value, canonical) =>
      expect(typeOf(rule).checkValue(rule, value, now)).toEqual({ value: canonical }),
    );
  });
}

/** Tests invalid values and the reason. */
export function refuses(rows: [rule: InputRule, value: unknown, reason: string][]): void {
  describe('invalid values, with a reason', () => {
    test.each(rows)('%j: %j', (rule, value, reason) =>
      expect(typeOf(rule).checkValue(rule, value, now)).toMatchObject({ reason }),
    );
  });
}

/** Tests what typed or pasted text is stored as. */
export function takes(rows: [rule: InputRule, text: string, value: unknown][]): void {
  describe('what customers type on other keyboards, or paste, means what they see', () => {
    test.each(rows)('%j: %s', (rule, text, value) => expect(takeText(rule, text)).toEqual(value));
  });
}

/** Tests that typed text which stays unclear is refused in German, with this in the text. */
export function explains(rows: [rule: InputRule, text: string, example: string][]): void {
  describe('what stays unclear is refused with an example or the limits', () => {
    test.each(rows)('%j: %s', (rule, text, example) => expect(takeText(rule, text, 'de')).toContain(example));
  });
}
