import { expect, test } from 'vitest';
import { foldDigits, isBlank } from './characters.ts';

test('digits of every script are recognised', () => {
  const algorithmic = new Set(['hanidec']);
  const systems = Intl.supportedValuesOf('numberingSystem').filter((name) => !algorithmic.has(name));
  const written = systems.map((numberingSystem) =>
    new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(1_234_567_890),
  );
  expect(written).toContain('١٢٣٤٥٦٧٨٩٠');
  expect(written).toContain('१२३४५६७८९०');
  expect(new Set(written.map(foldDigits))).toEqual(new Set(['1234567890']));
  expect(foldDigits('no digits, ½ ⅷ 二')).toBe('no digits, ½ ⅷ 二');
});

test.each([
  '',
  ' \n\u00a0\u3000',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\u3164',
  '\ufeff',
  '\u2800',
  '\u202e\u200f',
])('%j is blank', (text) => {
  expect(isBlank(text)).toBe(true);
});

test.each(['.', '\u200ba', '👍🏽', '\u0301', 'ا', '0'])('%j is not blank', (text) => {
  expect(isBlank(text)).toBe(false);
});
