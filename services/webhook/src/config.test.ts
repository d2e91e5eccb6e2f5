import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { standardDelaysMs } from './scheduling/attempts/backoff.ts';

const env = {
  LISTEN: '127.0.0.1:0',
  DATABASE_URL: 'postgres://localhost/parley',
  NATS_URL: 'nats://localhost:4222',
  IDENTITY_ADDRESS: '127.0.0.1:9',
  CUSTOMER_ADDRESS: '127.0.0.1:9',
  INTERACTION_ADDRESS: 'localhost:1',
  RPC_TOKEN: 'x'.repeat(16),
  OPERATOR_TOKEN: 'y'.repeat(16),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};

test('defaults: public targets, parameter secretToken, the standard schedule', () => {
  expect(readConfig(env)).toMatchObject({
    allowsPrivate: false,
    allowedNetworks: [],
    egressProxy: undefined,
    secretTokenParameter: 'secretToken',
    retryDelaysMs: standardDelaysMs,
    webhooksPerWorkspace: 100,
  });
});

test('the schedule can be given in seconds and fractions', () => {
  const { retryDelaysMs } = readConfig({ ...env, WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.05, 1,60' });
  expect(retryDelaysMs).toEqual([50, 1_000, 60_000]);
});

test('how many webhooks a workspace may have can be given', () => {
  expect(readConfig({ ...env, WEBHOOKS_PER_WORKSPACE: '1000' }).webhooksPerWorkspace).toBe(1_000);
  expect(() => readConfig({ ...env, WEBHOOKS_PER_WORKSPACE: '0' })).toThrow('WEBHOOKS_PER_WORKSPACE');
});

test.each([',', '1,,2', '-1', 'soon'])('%j is no schedule', (schedule) => {
  expect(() => readConfig({ ...env, WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule })).toThrow(
    'WEBHOOK_RETRY_SCHEDULE',
  );
});

test('networks that targets may be in are given as CIDR or single addresses', () => {
  const given = { ...env, WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16, fd00::/8,192.168.7.7' };
  const { allowedNetworks } = readConfig(given);
  expect(allowedNetworks.flatMap(({ rules }) => rules)).toEqual([
    'Subnet: IPv4 10.1.0.0/16',
    'Subnet: IPv6 fd00::/8',
    'Subnet: IPv4 192.168.7.7/32',
  ]);
  expect(readConfig({ ...env, WEBHOOK_ALLOWED_NETWORKS: '' }).allowedNetworks).toEqual([]);
});

test.each(['10.1.0.0/33', '010.0.0.0/8', 'corp.internal', '0.0.0.0/0', '::/0'])(
  '%j is no network to allow',
  (list) => {
    expect(() => readConfig({ ...env, WEBHOOK_ALLOWED_NETWORKS: list })).toThrow('WEBHOOK_ALLOWED_NETWORKS');
  },
);

test('an egress proxy is an http or https URL', () => {
  const proxied = readConfig({ ...env, WEBHOOK_EGRESS_PROXY: 'http://user:pass@proxy:3128' });
  expect(proxied.egressProxy?.host).toBe('proxy:3128');
  expect(readConfig({ ...env, WEBHOOK_EGRESS_PROXY: '' }).egressProxy).toBeUndefined();
  const undecodable = ['http://us%er:pass@proxy:3128', 'http://user:100%@proxy:3128', 'http://u:%ff@proxy'];
  for (const url of ['proxy:3128', 'socks5://proxy:1080', ...undecodable]) {
    expect(() => readConfig({ ...env, WEBHOOK_EGRESS_PROXY: url })).toThrow('WEBHOOK_EGRESS_PROXY');
  }
});
