import { expect, test } from 'vitest';
import { typeTitle, typeWords } from './type-titles.ts';

test('a type is chosen by words, also one that this console does not know', () => {
  expect(typeTitle('nps', 'en')).toBe('Recommendation, 0 to 10 (NPS)');
  expect(typeTitle('yesNo', 'de')).toBe('Ja oder nein');
  expect(typeTitle('ofTomorrow', 'en')).toBe('Of tomorrow');
  expect([{ type: 'nps' }, {}, undefined, 7].map((rule) => typeWords(rule, 'en'))).toEqual([
    'Recommendation, 0 to 10 (NPS)',
    undefined,
    undefined,
    undefined,
  ]);
});
