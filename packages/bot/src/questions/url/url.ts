import { foldTyped, typedCharsMax, withoutForeignEnd } from '../../text/characters.ts';
import { cleanText } from '../../text/clean-text.ts';
import { contact, type noOptions } from '../parts/contact.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const notUrl = { reason: 'not-a-url' } as const;

/** A web address. It is stored with its scheme. */
export const url = {
  ...contact,
  name: 'url',
  title: { en: 'Web address', de: 'Webadresse' },
  longestValue: () => 'x'.repeat(typedCharsMax),
  refusals: {
    'not-a-url': {
      en: 'Please give a web address, such as https://example.com.',
      de: 'Bitte geben Sie eine Internetadresse an, zum Beispiel https://example.com.',
      fr: 'Veuillez indiquer une adresse web, par exemple https://example.com.',
      es: 'Indique una dirección web, por ejemplo https://example.com.',
      ar: 'يرجى إدخال عنوان موقع، مثل https://example.com.',
    },
  },
  checkValue(_rule, value) {
    const text = typeof value === 'string' ? foldAddress(cleanText(value, false)) : '';
    if (text === '' || /\s/.test(text)) return notUrl;
    const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    if (!URL.canParse(written)) return notUrl;
    const address = new URL(written);
    if (!/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
      return notUrl;
    }
    const labels = address.hostname.replace(/\.$/, '').split('.');
    if (labels.length < 2 || labels.includes('') || address.href.length > typedCharsMax) return notUrl;
    return { value: address.href };
  },
  describeAnswers: () => 'a web address',
} satisfies QuestionType<RuleOf<'url', typeof noOptions>, string, 'not-a-url'>;

/**
 * Folds a web address up to its path, in which other characters than the ASCII ones have a meaning. At its end,
 * characters that end a sentence do not belong to it.
 */
function foldAddress(text: string): string {
  if (text.length > typedCharsMax) return '';
  const shown = text.replaceAll(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
  const visible = withoutForeignEnd(shown.trim()).trim();
  const [start = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(visible) ?? [];
  return foldTyped(start) + visible.slice(start.length);
}
