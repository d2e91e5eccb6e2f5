import { expect, test } from 'vitest';
import { tagOf } from './language-tag.ts';

test.each([
  ['de', 'de'],
  ['pt-br', 'pt-BR'],
  ['en_GB', 'en-GB'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  // The API accepts at most four parts, and no extension for numbers or days.
  ['sl-Latn-IT-rozaj-nedis', 'sl-Latn-IT-nedis'],
  ['ar-EG-u-nu-latn', 'ar-EG'],
  ['{{ lang }}', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j becomes %j for the API', (locale, tag) => {
  expect(tagOf(locale)).toBe(tag);
});
