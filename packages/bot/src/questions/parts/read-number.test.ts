import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNumber } from './read-number.ts';

const languages = ['en', 'de', 'fr', 'de-CH', 'ar-EG'];

describe('numbers that are equal in every language', () => {
  test.each([
    [' 9 ', 9],
    ['９', 9],
    ['٩', 9],
    ['−2', -2],
    ['3,5', 3.5],
    ['3.5', 3.5],
    ['12.50', 12.5],
    ['0,125', 0.125],
    ['0.125', 0.125],
    ['1234.567', 1234.567],
    ['1234,567', 1234.567],
    ['38 500', 38_500],
    ['38\u202f500,5', 38_500.5],
    ['1’200.50', 1200.5],
    ['1 234 567', 1_234_567],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1,234,567.5', 1_234_567.5],
    ['1.200,5', 1200.5],
    ['1,200.500', 1200.5],
    ['-1.200,5', -1200.5],
    ['١٬٢٠٠٫٥', 1200.5],
    ['१,२३४,५६७', 1_234_567],
    ['1 2345', undefined],
    ['1,2,3', undefined],
    ['1,200,5', undefined],
    ['1.200.5', undefined],
    ['1.200,5.5', undefined],
    ['5.', undefined],
    ['1e9', undefined],
    ['0x10', undefined],
    ['nine', undefined],
    ['½', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(languages.map((locale) => readNumber(text, locale))).toEqual(languages.map(() => expected));
  });
});

describe('one mark before three digits follows the language, or is ambiguous', () => {
  test.each([
    ['en', '1,200', 1200],
    ['en-IN', '1,200', 1200],
    ['en', '1.200', 1.2],
    ['ja', '-12,000', -12_000],
    ['es-MX', '1,200', 1200],
    ['de', '1,200', 1.2],
    ['de', '1.200', undefined],
    ['de-AT', '1.200', undefined],
    ['es', '1.200', undefined],
    ['pt-BR', '1.200', undefined],
    ['fr', '1,200', 1.2],
    ['fr', '1.200', undefined],
    ['de-CH', '1.200', 1.2],
    ['de-CH', '1,200', undefined],
    ['de', '١٬٢٠٠', 1200],
    ['de', '١٫٢٠٠', 1.2],
    ['xx', '1,200', 1200],
    ['en-12', '1,200', undefined],
  ])('%s: %s', (locale, text, expected) => {
    expect(readNumber(text, locale)).toBe(expected);
  });
});

test('a number in a language’s own format is parsed correctly or not at all', () => {
  const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((made) => Math.round(made * 1000) / 1000);
  fc.assert(
    fc.property(
      value,
      fc.constantFrom('en', 'de', 'fr', 'es', 'sv', 'de-CH', 'ar-EG', 'fa'),
      (made, locale) => {
        const given = made + 0;
        const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(given);
        const read = readNumber(text.replaceAll(/[\u200e\u200f\u061c]/g, ''), locale);
        expect(read === undefined || read === given).toBe(true);
        if (locale === 'en') expect(read).toBe(given);
      },
    ),
  );
});
