import { expect, test } from 'vitest';
import { tagOf } from './language-tag.ts';

test.each([
  ['de', 'de'],
  ['pt-br', 'pt-BR'],
  ['en_GB', 'en-GB'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  // What the API does not take: further parts than four, and how numbers and days are written.
  ['sl-Latn-IT-rozaj-nedis', 'sl-Latn-IT-nedis'],
  ['ar-EG-u-nu-latn', 'ar-EG'],
  ['{{ lang }}', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j is %j to the API', (locale, tag) => {
  expect(tagOf(locale)).toBe(tag);
});
