import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptBytesMax, withoutSecrets } from './excerpt.ts';

const clean = (text: string, secrets: string[]) =>
  withoutSecrets(Buffer.from(text), secrets, false).toString();
const cleanCut = (text: string, secrets: string[]) =>
  withoutSecrets(Buffer.from(text), secrets, true).toString();

const encodeBytes = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
const rawUrlEncode = (text: string) => text.replaceAll(/[^\w.~-]/gu, encodeBytes);

const encodings: Record<string, (text: string) => string> = {
  'no encoding': (text) => text,
  'encodeURIComponent of JavaScript': encodeURIComponent,
  'encodeURI of JavaScript': encodeURI,
  'rawurlencode of PHP, quote of Python': rawUrlEncode,
  'percent-encoding in lower case': (text) =>
    rawUrlEncode(text).replaceAll(/%../g, (one) => one.toLowerCase()),
  'percent-encoding of each byte': encodeBytes,
  'Base64 without padding': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  'URL-safe Base64 without padding': (text) => Buffer.from(text).toString('base64url'),
  'percent-encoded Base64': (text) =>
    encodeURIComponent(Buffer.from(text).toString('base64').replace(/=+$/, '')),
};

const secrets = fc.string({ unit: fc.constantFrom(...'abu14"\'&%+/\\ ?~>;=ä€\u{1f600}\n'), minLength: 6 });

describe.each(Object.entries(encodings))('%s', (_, encode) => {
  test('a secret is removed', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        expect(clean(`<${encode(secret)}|`, [secret])).toBe('<[removed]|');
      }),
    );
  });

  test('from 6 characters on, the beginning of a secret is removed from the end of an incomplete answer', () => {
    // A `%` could be the beginning of an escape.
    const beginnings = fc.string({ unit: fc.constantFrom(...'ab4?~>ä'), minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(beginnings, secrets, fc.nat(), (beginning, rest, place) => {
        const bytes = Buffer.from(encode(beginning + rest));
        const begun = Buffer.from(encode(beginning)).length;
        const cut = bytes.subarray(0, begun + (place % (bytes.length - begun + 1)));
        const answer = Buffer.concat([Buffer.from('<'), cut]);
        expect(withoutSecrets(answer, [beginning + rest], true).toString()).toBe('<[removed]');
      }),
    );
  });
});

test('padding after a secret in Base64 may stay', () => {
  const encoded = Buffer.from('token-1').toString('base64');
  expect(clean(encoded, ['token-1'])).toBe('[removed]==');
});

test.each(['base64', 'base64url'] as const)(
  'a secret is removed from the %s of a longer text',
  (encoding) => {
    const text = fc.string({ unit: 'binary', maxLength: 10 });
    fc.assert(
      fc.property(text, secrets, text, (before, secret, after) => {
        const encoded = Buffer.from(before + secret + after).toString(encoding);
        const [kept = '', ...more] = clean(encoded, [secret]).split('[removed]');
        // The character at each edge also encodes bits of the text around the secret.
        const start = Buffer.from(before).length;
        const end = start + Buffer.from(secret).length;
        expect(kept.length).toBeLessThanOrEqual(Math.ceil((start * 4) / 3));
        expect(more.join('').replace(/=+$/, '').length).toBeLessThanOrEqual(
          encoded.replace(/=+$/, '').length - Math.floor((end * 4) / 3),
        );
      }),
    );
  },
);

test('a complete answer may end with the beginning of a secret', () => {
  const sought = ['a-long-secret', 'a-long-story'];
  expect(clean('token: a-long-secre', sought)).toBe('token: a-long-secre');
  expect(cleanCut('token: a-long-secre', sought)).toBe('token: [removed]');
  expect(cleanCut('a-long', sought)).toBe('[removed]');
  expect(cleanCut('token: a-lon', sought)).toBe('token: a-lon');
  expect(cleanCut('a-long way', sought)).toBe('a-long way');
});

test('an incomplete escape at the end of an incomplete answer is removed with the secret before it', () => {
  expect(cleanCut('token: secret%', ['secret/1'])).toBe('token: [removed]');
  expect(cleanCut('token: secret%2', ['secret/1'])).toBe('token: [removed]');
});

test('`[removed]` is not searched, and no character of a secret has a special meaning', () => {
  const sought = ['removed', '.*+?^$(){}|[]/\\', 'secret'];
  expect(clean('secret removed .*+?^$(){}|[]/\\ x', sought)).toBe('[removed] [removed] [removed] x');
});

test('secrets that contain or overlap each other are removed together', () => {
  expect(clean('authorization: Bearer abcdef, abcdef', ['abcdef', 'Bearer abcdef'])).toBe(
    'authorization: [removed], [removed]',
  );
  expect(clean('-abcdefghijkl-', ['abcdefgh', 'efghijkl'])).toBe('-[removed]-');
});

test('bytes that are not UTF-8 stay unchanged', () => {
  const excerpt = Buffer.concat([Buffer.of(0xff, 0xfe, 0x80), Buffer.from('token-1'), Buffer.of(0xc3)]);
  const expected = Buffer.concat([Buffer.of(0xff, 0xfe, 0x80), Buffer.from('[removed]'), Buffer.of(0xc3)]);
  expect(withoutSecrets(excerpt, ['token-1'], false)).toEqual(expected);
});

test('escapes of other text stay unchanged', () => {
  const text = '100% %zz %4 + %41 %C3 &amp; \\u0041 %';
  expect(clean(`${text} token-1`, ['token-1'])).toBe(`${text} [removed]`);
  expect(cleanCut(text, ['token-1'])).toBe(text);
});

test('a secret is removed after a percent sign that makes an escape of its first digits', () => {
  expect(clean('100%262625', ['262625'])).toBe('100%[removed]');
});

test('secrets of less than 6 characters stay', () => {
  expect(clean('success', ['s', 'cess'])).toBe('success');
  expect(clean('AA %41%41', ['%41%41'])).toBe('AA [removed]');
});

test('no secret is left, whatever the secrets and the answer are', () => {
  const pieces = fc.constantFrom('%', '25', '26', '+', 'a', 'b');
  const text = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, fc.boolean(), (secrets, rest, isCut) => {
      const answer = Buffer.from(secrets.join(' ') + rest).subarray(0, excerptBytesMax);
      const parts = withoutSecrets(answer, secrets, isCut).toString().split('[removed]');
      for (const secret of secrets.filter(({ length }) => length >= 6)) {
        for (const part of parts) expect(part.includes(secret)).toBe(false);
      }
    }),
  );
});
