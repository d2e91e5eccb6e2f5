import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  addressText,
  ConfigError,
  count,
  flag,
  listenAddress,
  loadConfig,
  logLevel,
  peerAddress,
} from './config.ts';
import { rpcTokens } from './rpc-tokens.ts';

const schema = z.object({ LISTEN: listenAddress, SECRET: z.string().min(16), ON: flag, LIMIT: count });

test('parses a valid environment', () => {
  const env = { LISTEN: '127.0.0.1:0', SECRET: 'long enough to be one', ON: 'true', LIMIT: '7', OTHER: 'x' };
  expect(loadConfig(schema, env)).toEqual({
    LISTEN: { host: '127.0.0.1', port: 0 },
    SECRET: 'long enough to be one',
    ON: true,
    LIMIT: 7,
  });
});

test('reports every fault at once and repeats no value', () => {
  const load = (): unknown => loadConfig(schema, { LISTEN: 'nowhere', SECRET: 'hunter2', ON: 'yes' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/LISTEN[^]*SECRET[^]*ON[^]*LIMIT/);
  expect(load).not.toThrow(/hunter2|nowhere/);
});

test.each([
  'host',
  'host:',
  ':80',
  'host:65536',
  'host:-1',
  '::1:80',
  '[::1]',
  '[host]:80',
  '[127.0.0.1]:80',
])('rejects %j as an address', (text) => {
  expect(listenAddress.safeParse(text).error?.issues).toMatchObject([
    { message: 'must be host:port, with an IPv6 address in brackets' },
  ]);
});

test.each([
  ['localhost:80', 'localhost'],
  ['0.0.0.0:0', '0.0.0.0'],
  ['[::]:65535', '::'],
  ['[fd00::1]:80', 'fd00::1'],
])('accepts %j as an address and formats it the same way', (text, host) => {
  const address = listenAddress.parse(text);
  expect(address.host).toBe(host);
  expect(addressText(address)).toBe(text);
});

test('the log level is `info` by default, and an invalid one is a fault', () => {
  expect([logLevel({}), logLevel({ LOG_LEVEL: '' }), logLevel({ LOG_LEVEL: 'warn' })]).toEqual([
    'info',
    'info',
    'warn',
  ]);
  const given = { LISTEN: 'nowhere', LOG_LEVEL: 'verbose' };
  expect(() => loadConfig(z.object({ LISTEN: listenAddress }), given)).toThrow(/LISTEN[^]*LOG_LEVEL/);
  // The fault itself must be logged at some level.
  expect(logLevel(given)).toBe('info');
});

test('invalid addresses of peers are faults, all reported at once', () => {
  const peers = z.object({ A_ADDRESS: peerAddress, B_ADDRESS: peerAddress, C_ADDRESS: peerAddress });
  const load = (): unknown => loadConfig(peers, { A_ADDRESS: 'identity', B_ADDRESS: 'identity:99999' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/A_ADDRESS: must be host:port[^]*B_ADDRESS: must be host:port[^]*C_ADDRESS/);
  const fine = { A_ADDRESS: 'identity:1', B_ADDRESS: 'dns:///b:2', C_ADDRESS: 'ipv4:10.0.0.1:3,10.0.0.2:4' };
  expect(loadConfig(peers, fine)).toEqual(fine);
});

test('NODE_EXTRA_CA_CERTS must be a file with a certificate', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'certificates-'));
  const [good, bad] = [join(folder.path, 'good.pem'), join(folder.path, 'bad.pem')];
  await writeFile(good, rootCertificates[0] ?? '');
  await writeFile(bad, 'no certificate');
  const load = (path: string) => (): unknown => loadConfig(z.object({}), { NODE_EXTRA_CA_CERTS: path });
  expect(load(good)).not.toThrow();
  for (const path of [bad, join(folder.path, 'missing.pem'), folder.path]) {
    expect(load(path)).toThrow(/NODE_EXTRA_CA_CERTS: must be a readable file that has a certificate/);
  }
});

test('a certificate is only enough with TLS, and the operator has no token of a service', () => {
  const load = (env: NodeJS.ProcessEnv): unknown => loadConfig(z.object({ RPC_TOKEN: rpcTokens }), env);
  const tls = { RPC_TLS_CA_FILE: '/ca', RPC_TLS_CERT_FILE: '/cert', RPC_TLS_KEY_FILE: '/key' };
  for (const RPC_TOKEN of ['certificate', `${'x'.repeat(16)},certificate`]) {
    expect(load({ RPC_TOKEN, ...tls })).toEqual({ RPC_TOKEN });
    expect(() => load({ RPC_TOKEN })).toThrow(
      'RPC_TOKEN: must not be certificate without TLS between services',
    );
  }
  for (const RPC_TOKEN of ['', 'certificates', 'certificate,'])
    expect(() => load({ RPC_TOKEN, ...tls })).toThrow('RPC_TOKEN');
  const shared = 'x'.repeat(16);
  expect(() => load({ RPC_TOKEN: shared, OPERATOR_TOKEN: shared })).toThrow(
    'OPERATOR_TOKEN: must not be one of',
  );
});
