import { expect, test } from 'vitest';
import { accepts, reads, refuses } from '../../../tests/answers.ts';
import { draft } from '../../../tests/definitions.ts';
import { customer, now } from '../../../tests/random-conversations.ts';
import { type BotDefinition } from '../../definition/format.ts';
import { beginConversation } from '../../engine/engine.ts';
import type { InputRule } from '../types.ts';
import { consent } from './consent.ts';

const letters = { en: 'I agree to get letters', de: 'Ich möchte Briefe' };
const rule = {
  type: 'consent',
  label: letters,
  url: 'https://example.com/privacy',
} as const satisfies InputRule;
/** As `sha256sum` has them. */
const digests = {
  en: '24924b95503e9d7fda870ed44a5ed3dcd3d5cab2c639dd60bcc1a63e1e99e6d8',
  de: '0dd92a593d80e9248c45eb85d16d6e46f644540596a0af5e9ef5b3b8dfa31840',
  oui: '0a90407639c4155a2fa08ac4c97bfd08fa4856b31f167978918ffe0f1fa8defa',
};

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
  expect(shownIn('de-AT')).toEqual({ sha256: digests.de, locale: 'de' });
  expect(shownIn('sv')).toEqual({ sha256: digests.en, locale: 'en' });
  expect(consent.describeShown({ ...rule, label: 'Oui' }, { locale: 'de', ownLocale: 'fr' }).consent).toEqual(
    {
      sha256: digests.oui,
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

test('a definition from before the check has no consent that is given in advance', () => {
  const steps = [
    { id: 'q', kind: 'ask', text: '?', input: rule, prefill: '{{context.x|yes}}' },
    { id: 'bye', kind: 'end' },
  ];
  const definition = draft(steps, { context: [{ name: 'x' }], locale: 'en' }) as unknown as BotDefinition;
  const turn = beginConversation(definition, { customer, context: { x: 'yes' }, now, hasModel: false });
  expect(turn.input).toMatchObject({ stepId: 'q', type: 'consent' });
  expect(turn.input).not.toHaveProperty('prefill');
});
