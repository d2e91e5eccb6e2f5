import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { accepts, reads, refuses } from '../../../tests/answers.ts';
import type { InputRule } from '../types.ts';
import { consent } from './consent.ts';

const letters = { en: 'I agree to get letters', de: 'Ich möchte Briefe' };
const rule = {
  type: 'consent',
  label: letters,
  url: 'https://example.com/privacy',
} as const satisfies InputRule;
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

reads([
  [rule, 'Yes.', true],
  [rule, 'I agree', true],
  [rule, 'ich möchte briefe', true],
  [rule, 'Ja', true],
  [rule, 'no', false],
  [rule, 'Nein!', false],
  [rule, 'perhaps', undefined],
]);

accepts([
  [rule, true, true],
  [rule, false, false],
]);

refuses([
  [rule, 'yes', 'not-a-consent'],
  [rule, null, 'not-a-consent'],
  [rule, { accepted: true }, 'not-a-consent'],
]);

test('only an agreement is enough for a required question', () => {
  expect(consent.whyNotEnough(true)).toBeUndefined();
  expect(consent.whyNotEnough(false)).toBe('consent-needed');
});

test('the entry keeps the digest of the text in the language in which it was shown', () => {
  const shownIn = (locale: string) => consent.describeShown(rule, { locale, ownLocale: 'en' }).consent;
  expect(shownIn('de-AT')).toEqual({ sha256: digest(letters.de), locale: 'de' });
  expect(shownIn('sv')).toEqual({ sha256: digest(letters.en), locale: 'en' });
  expect(consent.describeShown({ ...rule, label: 'Oui' }, { locale: 'de', ownLocale: 'fr' }).consent).toEqual(
    {
      sha256: digest('Oui'),
      locale: 'fr',
    },
  );
});

test('the transcript has the text itself, and whether it was declined', () => {
  expect(consent.sayValue(rule, true, () => letters.en)).toBe(letters.en);
  expect(consent.sayValue(rule, false, () => letters.en)).toBe(`✗ ${letters.en}`);
});

test.each(['http://example.com', 'javascript:alert(1)', 'https://', 'example.com'])(
  'the full text cannot be at %s',
  (url) => {
    const pointers: string[] = [];
    consent.reportFaults({ ...rule, url }, { locale: 'en', patternsLeft: 0 }, (pointer) =>
      pointers.push(pointer),
    );
    expect(pointers).toEqual(['/url']);
  },
);
