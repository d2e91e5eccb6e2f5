import { expect, test } from 'vitest';
import { readDemoConfig } from './config.ts';

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

test('a local run has what it names: demo, traces, samples of the docs', () => {
  expect(readDemoConfig({ ...env, DEMO_FILE: '' })).toMatchObject({
    landingUrl: 'https://talk.example',
    docsExamplesFile: undefined,
    demoFile: undefined,
    tracesUrl: undefined,
  });
  expect(readDemoConfig({ ...env, DEMO_FILE: '/d.json', DOCS_EXAMPLES_FILE: '/e.json' })).toMatchObject({
    docsExamplesFile: '/e.json',
    demoFile: '/d.json',
  });
  const TRACES_URL = 'http://127.0.0.1:4318';
  for (const slashes of ['', '/', '//'])
    expect(readDemoConfig({ ...env, TRACES_URL: TRACES_URL + slashes }).tracesUrl).toBe(TRACES_URL);
  for (const end of ['?x=1', '/#x'])
    expect(() => readDemoConfig({ ...env, TRACES_URL: TRACES_URL + end })).toThrow(
      'TRACES_URL: must have no query',
    );
});
