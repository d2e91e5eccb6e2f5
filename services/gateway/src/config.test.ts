import { ConfigError } from '@parley/runtime/config/config';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  LISTEN: '127.0.0.1:3000',
  IDENTITY_ADDRESS: 'a:1',
  CUSTOMER_ADDRESS: 'b:1',
  INTERACTION_ADDRESS: 'c:1',
  WEBHOOK_ADDRESS: 'd:1',
  RPC_TOKEN: 'a-token-of-a-test',
  NATS_URL: 'nats://localhost:4222',
  SESSION_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  LANDING_URL: 'https://talk.example/',
};

test('limits have defaults, and the landing URL loses its trailing slash', () => {
  expect(readConfig(env)).toMatchObject({
    listen: { host: '127.0.0.1', port: 3000 },
    landingUrl: 'https://talk.example',
    trustedProxies: [],
    limits: {
      callsPerSecond: 200,
      callsBurst: 400,
      messagesPerMinute: 30,
      sessionsPerMinute: 60,
      pendingPerMinute: 12,
      conversationCallsPerMinute: 120,
      workspaceLookupsPerMinute: 600,
      signInsPerMinute: 300,
      authFailuresPerMinute: 100,
      startsPerAddressPerMinute: 10,
      startsPerLinkPerMinute: 600,
    },
  });
});

test('an empty limit has its default, zero is rejected, and the least is a limit for every call', () => {
  const read = (RATE_LIMIT_MESSAGES_PER_MINUTE: string) =>
    readConfig({ ...env, RATE_LIMIT_MESSAGES_PER_MINUTE }).limits;
  expect([read('').messagesPerMinute, read('7').messagesPerMinute]).toEqual([30, 7]);
  expect(() => read('0')).toThrow(/RATE_LIMIT_MESSAGES_PER_MINUTE/);
  expect(Math.min(...Object.values(read('1')))).toBe(1);
  for (const limit of Object.values(read('7'))) expect(limit).toBeTypeOf('number');
});

test('the limits of browsers are in proportion, and a burst is two seconds of calls', () => {
  const given = { ...env, RATE_LIMIT_MESSAGES_PER_MINUTE: '3000', RATE_LIMIT_PER_SECOND: '2000' };
  expect(readConfig(given).limits).toMatchObject({
    callsBurst: 4_000,
    sessionsPerMinute: 6_000,
    pendingPerMinute: 1_200,
    conversationCallsPerMinute: 12_000,
    workspaceLookupsPerMinute: 60_000,
    signInsPerMinute: 30_000,
    authFailuresPerMinute: 100,
  });
});

test('variables of earlier releases do not fail the start', () => {
  const earlier = { RATE_LIMIT_BURST: 'many', RATE_LIMIT_SIGN_INS_PER_MINUTE: '0', DEMO_FILE: '/demo.json' };
  expect(readConfig({ ...env, ...earlier })).toEqual(readConfig(env));
});

test('the insight service is optional', () => {
  const read = (INSIGHT_ADDRESS?: string) => readConfig({ ...env, INSIGHT_ADDRESS }).addresses.insight;
  expect([read(), read(''), read('e:1')]).toEqual([undefined, undefined, 'e:1']);
  expect(() => read('nowhere')).toThrow(/INSIGHT_ADDRESS/);
});

test('all faults are reported at once', () => {
  const read = () =>
    readConfig({ ...env, LANDING_URL: 'nowhere', SESSION_KEYS: 'x', RATE_LIMIT_PER_SECOND: '-1' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/SESSION_KEYS[^]*LANDING_URL[^]*RATE_LIMIT_PER_SECOND/);
});

test('trusted proxies are addresses and networks, and never all addresses', () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ ...env, TRUSTED_PROXIES }).trustedProxies;
  expect(read('10.0.0.0/8, fd00::/8,192.0.2.1 ::1')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.1', '::1']);
  expect(read('')).toEqual([]);
  for (const value of ['proxy', '10.0.0.0/33', '0.0.0.0/0', '::/0', '1']) {
    expect(() => read(value)).toThrow(/TRUSTED_PROXIES/);
  }
});

test('the API has the origin of landing pages by default', () => {
  const read = (PUBLIC_URL?: string) => readConfig({ ...env, PUBLIC_URL }).publicUrl;
  expect(read()).toBeUndefined();
  expect(read('')).toBeUndefined();
  expect(read('https://api.example/')).toBe('https://api.example');
  expect(() => read('ftp://api.example')).toThrow(/PUBLIC_URL/);
});

test('URLs to which paths are appended have no query and no fragment', () => {
  for (const name of ['LANDING_URL', 'PUBLIC_URL']) {
    for (const end of ['?x=1', '#x', '/t?']) {
      const read = () => readConfig({ ...env, [name]: `https://talk.example/${end}` });
      expect(read, name + end).toThrow(`${name}: must have no query`);
    }
  }
});
