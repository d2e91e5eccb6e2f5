import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  LISTEN: '127.0.0.1:0',
  DATABASE_URL: 'postgres://localhost/parley',
  NATS_URL: 'nats://localhost:4222',
  IDENTITY_ADDRESS: 'localhost:1',
  CUSTOMER_ADDRESS: 'localhost:1',
  LANDING_URL: 'https://talk.example/',
  RPC_TOKEN: 'x'.repeat(16),
  OPERATOR_TOKEN: 'y'.repeat(16),
  LINK_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
};
const model = { LLM_BASE_URL: 'http://localhost:1/v1', LLM_MODEL: 'm' };

test('without configuration, or with empty variables, there is no model', () => {
  const empty = { LLM_BASE_URL: '', LLM_API_KEY: '', LLM_MODEL: '', LLM_TIMEOUT_MS: '' };
  for (const given of [env, { ...env, ...empty }]) {
    expect(readConfig(given)).toMatchObject({ model: undefined, modelTimeoutMs: 15_000 });
  }
});

test('a model has an endpoint, a name, a time-out and, if required, a key', () => {
  expect(readConfig({ ...env, ...model })).toMatchObject({
    model: { baseUrl: 'http://localhost:1/v1', model: 'm', apiKey: undefined },
  });
  const more = { ...env, ...model, LLM_API_KEY: 'sk-1', LLM_TIMEOUT_MS: '2000' };
  expect(readConfig(more)).toMatchObject({ model: { apiKey: 'sk-1' }, modelTimeoutMs: 2_000 });
});

test.each<[name: string, given: Record<string, string>]>([
  ['LLM_MODEL', { LLM_BASE_URL: model.LLM_BASE_URL }],
  ['LLM_MODEL', { LLM_MODEL: 'm' }],
  ['LLM_BASE_URL', { ...model, LLM_BASE_URL: 'file:///etc/passwd' }],
  ['LLM_API_KEY', { ...model, LLM_API_KEY: 'sk-secret\nx: y' }],
  ['LLM_TIMEOUT_MS', { ...model, LLM_TIMEOUT_MS: 'soon' }],
])('%s is rejected in %j, without its value', (name, given) => {
  const read = (): unknown => readConfig({ ...env, ...given });
  expect(read).toThrow(name);
  expect(read).not.toThrow('sk-secret');
});
