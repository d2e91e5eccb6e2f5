import { expect, test } from 'vitest';
import { soughtSecrets } from './sought-secrets.ts';

const none = { secretToken: 'token', signingSecrets: [], headers: {} };
const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');

test('the secret token is sought in base64 and base64url too, with and without what fills it up', () => {
  const sought = soughtSecrets({ ...none, secretToken: '?>?>?>?' });
  expect(sought).toEqual(expect.arrayContaining(['?>?>?>?', 'Pz4/Pj8+Pw', 'Pz4_Pj8-Pw']));
});

test('signing secrets are sought with and without their prefix', () => {
  const sought = soughtSecrets({ ...none, signingSecrets: ['whsec_QUJD', 'whsec_REVG'] });
  expect(sought).toEqual(expect.arrayContaining(['whsec_QUJD', 'QUJD', 'whsec_REVG', 'REVG']));
});

test('of header fields whole values are sought, and what follows a scheme', () => {
  const headers = { a: 'Bearer abc', b: ' key ', c: 'Digest  a="b", c="d"', d: '' };
  const besides = soughtSecrets(none);
  const sought = soughtSecrets({ ...none, headers }).filter((text) => !besides.includes(text));
  expect(sought).toEqual(['Bearer abc', 'abc', 'key', 'Digest  a="b", c="d"', 'a="b", c="d"']);
});

test.each([
  ['Basic', base64('ann:pass:word'), 'ann:pass:word', 'pass:word'],
  ['basic ', base64('ännchen:schlüssel'), 'ännchen:schlüssel', 'schlüssel'],
  ['BASIC', base64('ann:schlüssel', 'latin1'), 'ann:schlüssel', 'schlüssel'],
  ['Basic', base64(':pässword').replace('=', ''), ':pässword', 'pässword'],
])('of "%s %s" user and password are sought, and the password', (scheme, credentials, ...decoded) => {
  const value = `${scheme} ${credentials}`;
  const sought = soughtSecrets({ ...none, headers: { 'x-any': ` ${value} ` } });
  expect(sought).toEqual(expect.arrayContaining([value, credentials, ...decoded]));
});

test('each cookie is sought', () => {
  const headers = { cookie: 'session=abc=def; theme="dark blue";last=1' };
  const sought = soughtSecrets({ ...none, headers });
  expect(sought).toEqual(expect.arrayContaining([headers.cookie, 'abc=def', 'dark blue', '1']));
});
