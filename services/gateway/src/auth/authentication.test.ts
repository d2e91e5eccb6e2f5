import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBasic } from './authentication.ts';

const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('the first colon separates key and secret', () => {
  expect(parseBasic(header('k:s:t'))).toEqual({ apiKey: 'k', apiSecret: 's:t' });
  expect(parseBasic(header('k:'))).toEqual({ apiKey: 'k', apiSecret: '' });
});

test('a byte order mark is kept as part of the key', () => {
  expect(parseBasic(header('\ufeffk:s'))).toEqual({ apiKey: '\ufeffk', apiSecret: 's' });
});

test('any pair is decoded', () => {
  const part = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/[:\0]/.test(text));
  fc.assert(
    fc.property(part, part, (apiKey, apiSecret) => {
      expect(parseBasic(header(`${apiKey}:${apiSecret}`))).toEqual({ apiKey, apiSecret });
    }),
  );
});

test('malformed headers have no credentials', () => {
  for (const text of [
    undefined,
    '',
    'Basic',
    'Basic ',
    'Basic %%%',
    'Bearer azpz',
    header('none'),
    header(':s'),
  ]) {
    expect(parseBasic(text), text).toBeUndefined();
  }
});
