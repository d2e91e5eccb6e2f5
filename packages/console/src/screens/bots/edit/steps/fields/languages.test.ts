import { expect, test } from 'vitest';
import { languageName, languageOptions } from './languages.ts';

test('languages are chosen by their names, in their order', () => {
  const german = languageOptions('de');
  expect(german.find(({ value }) => value === 'fr')?.label).toBe('Französisch');
  expect(languageOptions('en').map(({ label }) => label)).toContain('German');
  expect(german.map(({ label }) => label)).toEqual(
    german.map(({ label }) => label).toSorted((one, other) => one.localeCompare(other, 'de')),
  );
});

test('a language is named with its tag, and a tag without a name stays', () => {
  expect(languageName('fr', 'de')).toBe('Französisch (fr)');
  expect(['xx', 'klingon!'].map((tag) => languageName(tag, 'en'))).toEqual(['xx', 'klingon!']);
});
