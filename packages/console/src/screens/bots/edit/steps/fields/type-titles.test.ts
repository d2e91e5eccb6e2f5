import { expect, test } from 'vitest';
import { typeTitle } from './type-titles.ts';

test('a type is chosen by words, also one that this console does not know', () => {
  expect(typeTitle('nps', 'en')).toBe('Recommendation, 0 to 10 (NPS)');
  expect(typeTitle('yesNo', 'de')).toBe('Ja oder nein');
  expect(typeTitle('ofTomorrow', 'en')).toBe('Of tomorrow');
});
