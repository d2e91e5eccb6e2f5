import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, loadConfig, natsUrl } from './config.ts';
import { parseNatsUrl } from './nats-url.ts';

const plain = { demandsTls: false, inboxPrefix: '_INBOX', credentials: {} };

test.each([
  ['nats://nats', { ...plain, servers: ['nats:4222'] }],
  ['nats://10.0.0.1:4223/', { ...plain, servers: ['10.0.0.1:4223'] }],
  ['nats://[::1]:4222', { ...plain, servers: ['[::1]:4222'] }],
  ['nats://NATS', { ...plain, servers: ['nats:4222'] }],
  ['nats://a:1, nats://b,nats://c:3', { ...plain, servers: ['a:1', 'b:4222', 'c:3'] }],
  ['tls://nats.example', { ...plain, demandsTls: true, servers: ['nats.example:4222'] }],
])('%s names servers', (text, expected) => {
  expect(parseNatsUrl(text)).toEqual(expected);
});

test.each([
  ['nats://u:p@a', { user: 'u', pass: 'p' }],
  ['nats://u:@a', { user: 'u', pass: '' }],
  ['nats://t0ken@a', { token: 't0ken' }],
  ['tls://a%40b%3Ac:p%2C%2F%25:d@a,tls://a%40b%3Ac:p%2C%2F%25:d@b', { user: 'a@b:c', pass: 'p,/%:d' }],
])('%s has credentials, decoded', (text, credentials) => {
  expect(parseNatsUrl(text).credentials).toEqual(credentials);
});

test.each([
  ['nats://u:p@a', '_INBOX_u'],
  ['nats://a%2Eb%3E:p@a', '_INBOX_a_b_'],
  ['nats://t0ken@a', '_INBOX'],
])('the inboxes of %s begin with %s', (text, inboxPrefix) => {
  expect(parseNatsUrl(text)).toMatchObject({ inboxPrefix });
});

const form = 'must be nats://host:port or tls://host:port';
const named = 'must name hosts after tls://, no IP addresses';
const alike = 'must have the same scheme and the same credentials';

test.each([
  ['', form],
  ['nats', form],
  ['nats://', form],
  ['http://hunter2@nats:4222', form],
  ['ws://nats:443', form],
  ['nats://u:hunter2@nats:0', form],
  ['nats://u:hunter2@nats:65536', form],
  ['nats://u:hunter2@nats:port', form],
  ['nats://u:hunter2@nats/path', form],
  ['nats://u:hunter2@@nats', form],
  ['nats://:hunter2@nats', form],
  ['nats://u:hunter2%@nats', form],
  ['nats://u:hunter2@999.1.1.1', form],
  ['nats://u:hunter2@a,', form],
  ['nats://u:hunter2@a;nats://u:hunter2@b', form],
  ['nats://u:hunter2@a,b', form],
  ['nats://a,tls://b', alike],
  ['nats://u:hunter2@a,nats://b', alike],
  ['nats://u:hunter2@a,nats://u:other@b', alike],
  ['tls://u:hunter2@127.0.0.1', named],
  ['tls://u:hunter2@[::1]', named],
  ['tls://u:hunter2@127.1', named],
])('%j is a fault of the environment, without its text', (text, message) => {
  const load = (): unknown => loadConfig(z.object({ NATS_URL: natsUrl }), { NATS_URL: text });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(`NATS_URL: ${message}`);
  expect(load).not.toThrow(/hunter2/);
});
