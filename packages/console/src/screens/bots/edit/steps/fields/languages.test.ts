import { expect, test } from 'vitest';
import { languageOptions } from './languages.ts';

test('languages are chosen by their names, in their order', () => {
  const german = languageOptions('de');
  expect(german.find(({ value }) => value === 'fr')?.label).toBe('Französisch');
  expect(languageOptions('en').map(({ label }) => label)).toContain('German');
  expect(german.map(({ label }) => label)).toEqual(
    german.map(({ label }) => label).toSorted((one, other) => one.localeCompare(other, 'de')),
  );
});
