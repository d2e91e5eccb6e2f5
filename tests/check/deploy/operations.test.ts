import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  addressVariable,
  databaseServices,
  keyringNames,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { environmentOf, type Layout } from '@parley/local/processes/environment';
import { expect, test } from 'vitest';
import { readers } from './config-readers.ts';
import { unlistedBounds } from '../../documents/limits.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].toSorted();

const sources = [
  ...globSync('services/*/src/config.ts', { cwd: root }),
  'packages/runtime/src/config/config.ts',
];
const variables = [
  ...new Set([
    ...namesIn(sources.map(read).join('\n'), /^ +([A-Z][A-Z_]+): /gm),
    ...services.gateway.calls.map(addressVariable),
  ]),
].toSorted();

test('docs/operations/settings.md lists the variables that the processes read, and no others', () => {
  expect(variables.length).toBeGreaterThan(20);
  const rows = read('docs/operations/settings.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1]);
  // Variables that the SDK reads.
  const ofTelemetry = ['OTEL_'];
  expect(namesIn(rows.join('\n'), /`([A-Z_]+)/g)).toEqual([...variables, ...ofTelemetry].toSorted());
});

test('compose hands on every variable but those of local runs', () => {
  const ofLocalRuns = ['ALLOW_PRIVATE_WEBHOOKS'];
  // Services need only its digest, in RPC_CALLERS.
  const ofTheOperator = ['OPERATOR_TOKEN'];
  const handedOn = namesIn(read('deploy/compose.yaml'), /^ +([A-Z_]+): /gm);
  const others = variables.filter((name) => !handedOn.includes(name));
  expect(others).toEqual([...ofLocalRuns, ...ofTheOperator].toSorted());
});

test('compose passes the digests of tokens to the services that read them', () => {
  const compose = read('deploy/compose.yaml');
  const [, anchor = ''] = /^x-[a-z]+: &([a-z]+)\n(?: .*\n)*? +RPC_CALLERS: /m.exec(compose) ?? [];
  const services = compose.slice(compose.indexOf('\nservices:')).split(/^ {2}(?=[a-z]+:$)/m);
  const given = services.filter((service) => new RegExp(`<<: \\*${anchor}$`, 'm').test(service));
  const names = given.map((service) => service.slice(0, service.indexOf(':')));
  expect(names).toEqual(databaseServices);
});

test('docs/limits.md has every bound', () => {
  expect(unlistedBounds()).toEqual([]);
});

const keys = `k:${Buffer.alloc(32).toString('base64')}`;
function ofEach<Name extends string, Value>(names: readonly Name[], value: () => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value()])) as Record<Name, Value>;
}
const layout: Layout = {
  inherited: {},
  secrets: {
    rpcToken: 'token-between-services',
    operatorToken: 'token-of-the-operator',
    passwords: ofEach(databaseServices, () => 'p'),
    ...ofEach(keyringNames, () => keys),
    natsKey: 'key-of-nats',
  },
  adminUrl: 'postgres://postgres@127.0.0.1:5432/postgres',
  database: 'parley',
  natsUrlOf: () => 'nats://127.0.0.1:4222',
  streamReplicas: undefined,
  addresses: ofEach(serviceNames, () => ['127.0.0.1:1']),
  landingUrl: 'http://127.0.0.1:3000',
  docsExamplesFile: '/data/docs-examples.json',
  demoFile: '/data/demo-page.json',
  tracesUrl: undefined,
  allowPrivateWebhooks: true,
};

test.each(serviceNames)('an empty variable of the %s service counts as not set', (service) => {
  const env = environmentOf(service, '127.0.0.1:2', layout);
  const configOf = (given: NodeJS.ProcessEnv): unknown => {
    try {
      return readers[service](given);
    } catch {
      return 'refused';
    }
  };
  expect(configOf(env)).not.toBe('refused');
  for (const name of variables) {
    const { [name]: _given, ...others } = env;
    expect([name, configOf({ ...others, [name]: '' })]).toEqual([name, configOf(others)]);
  }
});
