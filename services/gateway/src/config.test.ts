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
    limits: { callsPerSecond: 200, callsBurst: 400, sessionsPerMinute: 60, authFailuresPerMinute: 100 },
  });
});

test('an empty limit has its default, and zero is rejected', () => {
  const read = (RATE_LIMIT_SESSIONS_PER_MINUTE: string) =>
    readConfig({ ...env, RATE_LIMIT_SESSIONS_PER_MINUTE }).limits.sessionsPerMinute;
  expect([read(''), read('7')]).toEqual([60, 7]);
  expect(() => read('0')).toThrow(/RATE_LIMIT_SESSIONS_PER_MINUTE/);
});

test('the insight service is optional', () => {
  const read = (INSIGHT_ADDRESS?: string) => readConfig({ ...env, INSIGHT_ADDRESS }).addresses.insight;
  expect([read(), read(''), read('e:1')]).toEqual([undefined, undefined, 'e:1']);
  expect(() => read('nowhere')).toThrow(/INSIGHT_ADDRESS/);
});

test('all faults are reported at once', () => {
  const read = () =>
    readConfig({ ...env, LANDING_URL: 'nowhere', SESSION_KEYS: 'x', RATE_LIMIT_BURST: '-1' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/SESSION_KEYS[^]*LANDING_URL[^]*RATE_LIMIT_BURST/);
});

test('trusted proxies are addresses and networks, and never all addresses', () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ ...env, TRUSTED_PROXIES }).trustedProxies;
  expect(read('10.0.0.0/8, fd00::/8,192.0.2.1 ::1')).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.1', '::1']);
  expect(read('')).toEqual([]);
  for (const value of ['proxy', '10.0.0.0/33', '0.0.0.0/0', '::/0', '1']) {
    expect(() => read(value)).toThrow(/TRUSTED_PROXIES/);
  }
});

test('production refuses the demo and traces, which others may have', () => {
  const read = (more: NodeJS.ProcessEnv) => readConfig({ ...env, ...more }).demoFile;
  expect(() => read({ DEMO_FILE: '/demo.json', NODE_ENV: 'production' })).toThrow(/DEMO_FILE/);
  const TRACES_URL = 'http://127.0.0.1:4318';
  expect(() => read({ TRACES_URL, NODE_ENV: 'production' })).toThrow(/TRACES_URL/);
  for (const slashes of ['', '/', '//']) {
    expect(readConfig({ ...env, TRACES_URL: TRACES_URL + slashes }).tracesUrl).toBe(TRACES_URL);
  }
  expect(read({ DEMO_FILE: '/demo.json' })).toBe('/demo.json');
  expect(read({ DEMO_FILE: '', NODE_ENV: 'production' })).toBeUndefined();
  expect(read({})).toBeUndefined();
});

test('the API has the origin of landing pages by default', () => {
  const read = (PUBLIC_URL?: string) => readConfig({ ...env, PUBLIC_URL }).publicUrl;
  expect(read()).toBeUndefined();
  expect(read('')).toBeUndefined();
  expect(read('https://api.example/')).toBe('https://api.example');
  expect(() => read('ftp://api.example')).toThrow(/PUBLIC_URL/);
});

test('URLs to which paths are appended have no query and no fragment', () => {
  for (const name of ['LANDING_URL', 'PUBLIC_URL', 'TRACES_URL']) {
    for (const end of ['?x=1', '#x', '/t?']) {
      const read = () => readConfig({ ...env, [name]: `https://talk.example/${end}` });
      expect(read, name + end).toThrow(`${name}: must have no query`);
    }
  }
});
