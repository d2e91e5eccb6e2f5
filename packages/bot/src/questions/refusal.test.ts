import { describe, expect, test } from 'vitest';
import { type AnswerRefusal, refusalText, refusalTexts } from './refusal.ts';
import { refusalLanguages } from './refusal-texts.ts';
import { text as textType } from './text/text.ts';

const limits = (text: string) => text.match(/\{\w+\}/g) ?? [];

describe.each(refusalLanguages)('in %s', (language) => {
  test('every reason has a text of its own, with the limits of the English one', () => {
    const texts = Object.values(refusalTexts);
    expect(new Set(texts.map((text) => text[language])).size).toBe(texts.length);
    for (const text of texts) {
      expect(limits(text[language])).toEqual(limits(text.en));
      if (language !== 'en') expect(text[language]).not.toBe(text.en);
    }
  });
});

test.each<[AnswerRefusal, string, string, string]>([
  [
    { reason: 'not-an-email' },
    'de-AT',
    'en',
    'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.',
  ],
  [{ reason: 'too-small', min: 0.5 }, 'de', 'en', 'Bitte geben Sie mindestens 0,5 an.'],
  [{ reason: 'too-large', max: 1_000_000 }, 'fr', 'en', 'Veuillez indiquer un nombre d’au plus 1000000.'],
  [{ reason: 'not-on-the-scale', min: 0, max: 10 }, 'ar-EG', 'en', 'يرجى اختيار رقم من 0 إلى 10.'],
  [{ reason: 'too-early', min: '2030-01-31' }, 'es', 'en', 'Elija a partir de: 31 ene 2030.'],
  [{ reason: 'too-late', max: '17:00' }, 'de', 'en', 'Bitte wählen Sie 17:00 oder früher.'],
  [{ reason: 'required' }, 'sv', 'de', 'Bitte beantworten Sie diese Frage.'],
  [{ reason: 'required' }, 'sv', 'ja', 'Please answer this question.'],
  [{ reason: 'too-few', min: 2 }, 'en-12', 'en', 'Please choose at least 2.'],
])(
  '%j is in the language of the conversation, the bot’s, or English: %s, %s',
  (refusal, locale, ownLocale, text) => {
    expect(refusalText(refusal, { locale, ownLocale })).toBe(text);
  },
);

test('the customer reads the limit of the rule', () => {
  const checked = textType.checkValue({ type: 'text', minLength: 3 }, 'ab');
  if ('value' in checked) throw new Error('it is too short');
  expect(refusalText(checked, { locale: 'en', ownLocale: 'en' })).toBe('Please write at least 3 characters.');
});
