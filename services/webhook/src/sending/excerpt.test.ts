import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptBytesMax, withoutSecrets } from './excerpt.ts';

const clean = (text: string, secrets: string[]) =>
  withoutSecrets(Buffer.from(text), secrets, false).toString();
const cleanCut = (text: string, secrets: string[]) =>
  withoutSecrets(Buffer.from(text), secrets, true).toString();

const escapeEach = (text: string, signs: RegExp, escape: (sign: string) => string) =>
  text.replaceAll(signs, escape);
const upper = (sign: string) =>
  Array.from(Buffer.from(sign), (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
const unit = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inAsciiJson = (text: string) => escapeEach(inJson(text), /[^\x20-\x7e]/g, unit);
const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const inHtml = (text: string) => escapeEach(text, /[&<>"']/g, (sign) => named[sign as keyof typeof named]);

/** How receivers write what they were sent, one sign after the other. */
const ways: Record<string, (text: string) => string> = {
  'encodeURIComponent of JavaScript': encodeURIComponent,
  'encodeURI of JavaScript': encodeURI,
  'rawurlencode of PHP, quote of Python': (text) => escapeEach(text, /[^\w.~-]/gu, upper),
  'percent-encoding in lower case': (text) =>
    escapeEach(text, /[^\w.~-]/gu, (sign) => upper(sign).toLowerCase()),
  'a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'JSON.stringify of JavaScript': inJson,
  'json.dumps of Python': inAsciiJson,
  'json_encode of PHP': (text) => inAsciiJson(text).replaceAll('/', '\\/'),
  'encoding/json of Go': (text) => escapeEach(inJson(text), /[&<>]/g, unit),
  'escape of lodash': inHtml,
  'htmlspecialchars of PHP': (text) => inHtml(text).replaceAll('&#39;', '&#039;'),
  'html.escape of Python': (text) => inHtml(text).replaceAll('&#39;', '&#x27;'),
  'html.EscapeString of Go': (text) => inHtml(text).replaceAll('&quot;', '&#34;'),
};
const allWays = Object.entries(ways);

describe.each(allWays)('a secret is taken out that is echoed as by %s', (_, written) => {
  test.each([
    `päss "1"/2! + <it's> & 100% \\o/`,
    "it's (me)!*~",
    '\u{1f600}\u{1f600}\u0001\t',
    'CORP\\nick:secret',
    'a%20b%2fc"d',
    'a&amp;b&lt;',
  ])('%j', (secret) => {
    expect(clean(`x=${written(secret)}|`, [secret])).toBe('x=[removed]|');
    expect(clean(`x=${written(written(secret))}|`, [secret])).toBe('x=[removed]|');
  });
});

/**
 * Secrets with all that is written in several ways; not those in which something looks like an escape already, nor, with `\&`,
 * like one when only the first of the two was percent-encoded before both were written as JSON.
 */
const secrets = fc
  .string({ unit: fc.constantFrom(...'abu14"\'&<>%+/\\ ?#;=ä€\u{1f600}\n'), minLength: 6, maxLength: 20 })
  .filter((secret) => !/%[\da-f]{2}|\\["\\/bfnrtu&]|&[\w#]+;/i.test(secret));
const upToThreeWays = fc.array(fc.constantFrom(...Object.values(ways)), { maxLength: 3 });

test('a secret is taken out whichever ways it was written in, up to three one after the other', () => {
  fc.assert(
    fc.property(secrets, upToThreeWays, (secret, ways) => {
      const written = (text: string) => ways.reduce((written, way) => way(written), text);
      const answer = written('x: ') + written(secret) + written(' |');
      expect(clean(answer, [secret])).toBe(`${written('x: ')}[removed]${written(' |')}`);
    }),
    { numRuns: 1_000 },
  );
});

/** None of which may be the beginning of an escape: what is, at a cut, may be that or itself. */
const sixSigns = fc.string({ unit: fc.constantFrom(...'ab4"\'<> ?ä\u{1f600}'), minLength: 6, maxLength: 6 });

test('the beginning of a secret, from 6 characters on, is taken out from the end of an answer that is cut off', () => {
  fc.assert(
    fc.property(sixSigns, secrets, upToThreeWays, fc.nat(), (beginning, rest, ways, place) => {
      const written = (text: string) => Buffer.from(ways.reduce((written, way) => way(written), text));
      const secret = beginning + rest;
      const bytes = written(secret);
      const begun = written(beginning).length;
      const cut = bytes.subarray(0, begun + (place % (bytes.length - begun + 1)));
      const answer = Buffer.concat([written('x: '), cut]);
      const expected = `${written('x: ').toString()}[removed]`;
      expect(withoutSecrets(answer, [secret], true).toString()).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('what is written in more ways than three is beyond what is looked for', () => {
  const [once, , , , five] = [1, 2, 3, 4, 5].map((times) => `a%${'25'.repeat(times - 1)}20secret`);
  expect(clean(once ?? '', ['a secret'])).toBe('[removed]');
  expect(clean(five ?? '', ['a secret'])).toBe(five);
});

test('an answer that came whole may end like a secret begins', () => {
  const sought = ['a-long-secret', 'a-long-story'];
  expect(clean('token: a-long-secre', sought)).toBe('token: a-long-secre');
  expect(cleanCut('token: a-long-secre', sought)).toBe('token: [removed]');
  expect(cleanCut('a-long', sought)).toBe('[removed]');
  expect(cleanCut('token: a-lon', sought)).toBe('token: a-lon');
  expect(cleanCut('a-long way', sought)).toBe('a-long way');
});

test('what stands for a secret is not looked at again, and no sign of a secret has a meaning', () => {
  const sought = ['removed', '.*+?^$(){}|[]/\\', 'secret'];
  expect(clean('secret removed .*+?^$(){}|[]/\\ x', sought)).toBe('[removed] [removed] [removed] x');
});

test('secrets that hold or overlap each other are taken out together', () => {
  expect(clean('authorization: Bearer abcdef, abcdef', ['abcdef', 'Bearer abcdef'])).toBe(
    'authorization: [removed], [removed]',
  );
  expect(clean('-abcdefghijkl-', ['abcdefgh', 'efghijkl'])).toBe('-[removed]-');
});

test('what is no UTF-8 stays as it is', () => {
  const excerpt = Buffer.concat([Buffer.of(0xff, 0xfe, 0x80), Buffer.from('token-1'), Buffer.of(0xc3)]);
  const expected = Buffer.concat([Buffer.of(0xff, 0xfe, 0x80), Buffer.from('[removed]'), Buffer.of(0xc3)]);
  expect(withoutSecrets(excerpt, ['token-1'], false)).toEqual(expected);
});

test('what is no escape stays as it is, and so do escapes of other things', () => {
  const text =
    '100% &copy; & &; &#0; &#xd800; &#9999999; \\x \\u12 \\ud83d \\ude00 %zz %4 + %41 &amp; \\u0041 %';
  expect(clean(`${text} token-1`, ['token-1'])).toBe(`${text} [removed]`);
  expect(cleanCut(text, ['token-1'])).toBe(text);
});

test('a token that might be a word is left', () => {
  expect(clean('success', ['s', 'cess'])).toBe('success');
  expect(clean('AA %41%41', ['%41%41'])).toBe('AA [removed]');
});

test('whatever the secrets and the answer, what is left holds none of them', () => {
  const pieces = fc.constantFrom('%', '25', '26', '&', 'amp;', '\\', 'u0026', '+', 'a', '&#38;');
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
