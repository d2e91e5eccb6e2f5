import { expect, test } from 'vitest';
import { secretsToRedact } from './destination.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('signing secrets are sought with and without their prefix', () => {
  const sought = secretsToRedact('token', ['whsec_QUJD', 'whsec_REVG'], {});
  expect(sought).toEqual(expect.arrayContaining(['token', 'whsec_QUJD', 'QUJD', 'whsec_REVG', 'REVG']));
});

test('values of header fields are sought whole and without their scheme', () => {
  const headers = { a: 'Bearer abc', b: ' key ', c: 'Digest  a="b", c="d"', d: '' };
  const sought = new Set(secretsToRedact('token', [], headers));
  expect(sought).toEqual(
    new Set(['token', '', 'Bearer abc', 'abc', 'key', 'Digest  a="b", c="d"', 'a="b", c="d"']),
  );
});

test.each([
  ['Basic', base64('ann:pass:word'), 'ann:pass:word', 'pass:word'],
  ['basic ', base64('ännchen:schlüssel'), 'ännchen:schlüssel', 'schlüssel'],
  ['BASIC', base64(':pässword').replace('=', ''), ':pässword', 'pässword'],
])('user and password of "%s %s" are sought, and the password', (scheme, credentials, ...decoded) => {
  const value = `${scheme} ${credentials}`;
  const sought = secretsToRedact('token', [], { 'x-any': ` ${value} ` });
  expect(sought).toEqual(expect.arrayContaining([value, credentials, ...decoded]));
});

test('each cookie is sought', () => {
  const headers = { cookie: 'session=abc=def; theme="dark blue";last=1' };
  const sought = secretsToRedact('token', [], headers);
  expect(sought).toEqual(expect.arrayContaining([headers.cookie, 'abc=def', 'dark blue', '1']));
});
