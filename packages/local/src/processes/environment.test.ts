import { expect, test } from 'vitest';
import { callerNames } from '@parley/contracts/method-access';
import { environmentOf, grpcAddress, inheritedEnvironment, type Layout } from './environment.ts';
import { type Secrets, tokenOf } from '../files/secrets.ts';
import { databaseServices, type KeyringName, keyringNames, serviceNames } from '@parley/contracts/services';

const layout: Layout = {
  inherited: { LOG_LEVEL: 'info' },
  secrets: {
    rpcToken: 'rpc-token',
    operatorToken: 'operator-token',
    passwords: Object.fromEntries(
      databaseServices.map((name) => [name, `pw-${name}`]),
    ) as Secrets['passwords'],
    ...(Object.fromEntries(keyringNames.map((name) => [name, `k1:${name}`])) as Record<KeyringName, string>),
    natsKey: 'nats-key',
  },
  adminUrl: 'postgres://postgres:admin-secret@127.0.0.1:5432/postgres',
  database: 'parley',
  natsUrlOf: (service) => `nats://${service}@127.0.0.1:4222`,
  streamReplicas: 3,
  addresses: {
    ...(Object.fromEntries(serviceNames.map((name) => [name, ['127.0.0.1:1']])) as Layout['addresses']),
    webhook: ['127.0.0.1:4', '127.0.0.1:5'],
  },
  landingUrl: 'http://127.0.0.1:6',
  docsExamplesFile: '/data/docs-examples.json',
  demoFile: '/data/demo-page.json',
  tracesUrl: undefined,
  allowPrivateWebhooks: true,
  webhookRetryScheduleSeconds: [1, 2],
};

test('no service knows the token of the operator or of another service', () => {
  const tokens = new Map(callerNames.map((name) => [name, tokenOf(layout.secrets, name)]));
  for (const service of serviceNames) {
    const values = Object.values(environmentOf(service, '127.0.0.1:1', layout));
    const known = [...tokens].filter(([, token]) => values.some((value) => value?.includes(token)));
    expect(known.map(([name]) => name)).toEqual([service]);
  }
});

test('a service reaches the database by its own role and password only', () => {
  expect(environmentOf('customer', '127.0.0.1:2', layout)['DATABASE_URL']).toBe(
    'postgres://parley_customer:pw-customer@127.0.0.1:5432/parley',
  );
  for (const service of serviceNames) {
    expect(JSON.stringify(environmentOf(service, 'x:1', layout))).not.toContain('admin-secret');
  }
});

test('a service gets only its own keys', () => {
  const keysOf = (name: (typeof serviceNames)[number]): string[] =>
    Object.entries(environmentOf(name, 'x:1', layout))
      .filter(([, value]) => value?.startsWith('k1:'))
      .map(([key, value]) => `${key}=${value}`);
  expect(keysOf('identity')).toEqual([
    'CREDENTIAL_PEPPERS=k1:credentialPeppers',
    'ENCRYPTION_KEYS=k1:identityKeys',
  ]);
  expect(keysOf('customer')).toEqual(['ENCRYPTION_KEYS=k1:customerKeys']);
  expect(keysOf('interaction')).toEqual(['LINK_KEYS=k1:linkKeys']);
  expect(keysOf('webhook')).toEqual(['ENCRYPTION_KEYS=k1:webhookKeys']);
  expect(keysOf('gateway')).toEqual(['SESSION_KEYS=k1:sessionKeys']);
});

test('each service has a user of NATS of its own, and only one declares the stream', () => {
  for (const service of serviceNames) {
    const { NATS_URL, NATS_STREAM_REPLICAS } = environmentOf(service, 'x:1', layout);
    expect(NATS_URL).toBe(`nats://${service}@127.0.0.1:4222`);
    expect(NATS_STREAM_REPLICAS).toBe(service === 'interaction' ? '3' : undefined);
  }
});

test('several processes of a service are one address that calls rotate over', () => {
  expect(grpcAddress(layout.addresses.identity)).toBe('127.0.0.1:1');
  expect(environmentOf('gateway', 'x:1', layout)['WEBHOOK_ADDRESS']).toBe('ipv4:127.0.0.1:4,127.0.0.1:5');
});

test('the webhook service gets the settings of a local run', () => {
  expect(environmentOf('webhook', 'x:1', layout)).toMatchObject({
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '1,2',
  });
});

test('a local run can apply a deployment’s rules to webhooks', () => {
  const strict = { ...layout, allowPrivateWebhooks: false };
  expect(environmentOf('webhook', 'x:1', strict)).toMatchObject({ ALLOW_PRIVATE_WEBHOOKS: 'false' });
});

test('services inherit only the variables for services', () => {
  expect(
    inheritedEnvironment({
      PATH: '/bin',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x',
      OTEL_SERVICE_NAME: 'y',
      AWS_KEY: 'z',
    }),
  ).toEqual({ LOG_LEVEL: 'info', TZ: 'UTC', PATH: '/bin', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' });
});

test('an empty variable does not hide a default of a local run', () => {
  const inherited = inheritedEnvironment({ LOG_LEVEL: '', TRUSTED_PROXIES: '', RATE_LIMIT_PER_SECOND: '' });
  expect(inherited).toEqual({ LOG_LEVEL: 'info', TZ: 'UTC' });
  expect(environmentOf('gateway', 'x:1', { ...layout, inherited })['RATE_LIMIT_PER_SECOND']).toBe('2000');
});

test('the gateway inherits limits and proxies', () => {
  const given = {
    RATE_LIMIT_PER_SECOND: '7',
    AUTH_FAILURES_PER_MINUTE: '8',
    TRUSTED_PROXIES: '10.0.0.0/8',
  };
  const inherited = inheritedEnvironment(given);
  expect(environmentOf('gateway', '127.0.0.1:6', { ...layout, inherited })).toMatchObject(given);
});

test('a workspace of a local run may have ten times as many webhooks, or the number in the environment', () => {
  const max = (env: NodeJS.ProcessEnv) =>
    environmentOf('webhook', 'x:1', { ...layout, inherited: inheritedEnvironment(env) })[
      'WEBHOOKS_PER_WORKSPACE'
    ];
  expect(max({})).toBe('1000');
  expect(max({ WEBHOOKS_PER_WORKSPACE: '7' })).toBe('7');
});

test('only identity gets the sign-in provider and its secret', () => {
  const given = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'one', OIDC_CLIENT_SECRET: 'secret' };
  const inherited = inheritedEnvironment(given);
  expect(environmentOf('identity', 'x:1', { ...layout, inherited })).toMatchObject(given);
  for (const service of serviceNames.filter((name) => name !== 'identity')) {
    expect(JSON.stringify(environmentOf(service, 'x:1', { ...layout, inherited }))).not.toContain('OIDC_');
  }
});

test('only the interaction service gets the model and its key', () => {
  const given = { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_API_KEY: 'key-of-the-model', LLM_MODEL: 'one' };
  const inherited = inheritedEnvironment(given);
  expect(environmentOf('interaction', 'x:1', { ...layout, inherited })).toMatchObject(given);
  for (const service of serviceNames.filter((name) => name !== 'interaction')) {
    expect(JSON.stringify(environmentOf(service, 'x:1', { ...layout, inherited }))).not.toContain('LLM_');
  }
});
