import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  backupOrder,
  databaseServices,
  optionalServices,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

// Lists of services that no code can take from packages/contracts/src/services.ts.

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sorted = (names: readonly string[]): string[] => names.toSorted();
const all = sorted(serviceNames);

/** Returns the names after words of a shell: `starts gateway identity` has two after `starts`. */
function namesAfter(path: string, pattern: RegExp): string[][] {
  return Array.from(read(path).matchAll(pattern), ([, names = '']) => sorted(names.trim().split(/\s+/)));
}

test('each service is a folder, and the last one of an update is the gateway, which calls the others', () => {
  expect(sorted(readdirSync(join(root, 'services')))).toEqual(all);
  expect(serviceNames.at(-1)).toBe('gateway');
});

test('compose has all services, and its PostgreSQL and NATS have their passwords', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { build?: object; environment?: Record<string, string> }>;
  };
  const built = Object.entries(compose.services).filter(([, { build }]) => build);
  expect(sorted(built.map(([name]) => name))).toEqual(all);
  const variablesOf = (name: string) => Object.keys(compose.services[name]?.environment ?? {});
  const passwords = databaseServices.map((name) => `${name.toUpperCase()}_PASSWORD`);
  expect(variablesOf('postgres')).toEqual(expect.arrayContaining(passwords));
});

test('separate backups dump all schemas, the customers first and the consumers of events before their producer', () => {
  expect(sorted(backupOrder)).toEqual(sorted(databaseServices));
  expect([backupOrder[0], backupOrder.at(-1)]).toEqual(['customer', 'identity']);
  for (const consumer of databaseServices.filter((name) => services[name].bus.consumesEvents))
    expect(backupOrder.indexOf(consumer)).toBeLessThan(backupOrder.indexOf('interaction'));
});

test('the chart has all services, and leaves out optional ones by default', () => {
  const values = parse(read('deploy/chart/values.yaml')) as Record<string, unknown>;
  const schema = JSON.parse(read('deploy/chart/values.schema.json'));
  expect(sorted(values['release'] as string[])).toEqual(all);
  expect(sorted(Object.keys(values['services'] as object))).toEqual(all);
  const { release, services, addresses } = schema.properties;
  expect(sorted(release.items.enum)).toEqual(all);
  expect(sorted(services.required)).toEqual(all);
  expect(sorted(Object.keys(services.properties))).toEqual(all);
  expect(sorted(Object.keys(addresses.properties))).toEqual(sorted(databaseServices));
  for (const name of optionalServices) expect(values[name]).toEqual({ enabled: false });
});

test('the examples of the chart have roles, schemas and certificates of all services', () => {
  const database = read('deploy/chart/examples/cloudnative-pg-cluster.yaml');
  for (const name of databaseServices) {
    for (const part of [
      `create role parley_${name} login`,
      `create schema ${name} authorization parley_${name}`,
      `alter role parley_${name} in database parley set search_path = ${name}`,
      `name: parley_${name}, login: true, passwordSecret: { name: parley-${name}-database }`,
    ])
      expect(database).toContain(part);
    expect(database).toMatch(new RegExp(`grant connect on database parley to .*parley_${name}\\b`));
  }
  const secrets = parse(read('deploy/chart/examples/cloudnative-pg.yaml')) as { services: object };
  expect(sorted(Object.keys(secrets.services))).toEqual(sorted(databaseServices));
  const certificates = parseAllDocuments(read('deploy/chart/examples/cert-manager.yaml')).map(
    (document) => (document.toJS() as { spec: { dnsNames?: string[] } }).spec.dnsNames ?? [],
  );
  expect(sorted(certificates.flat())).toEqual(sorted([...serviceNames, 'cli']));
});

test('the commands of examples and runbooks loop over all services', () => {
  const loop = /for (?:service|user) in ([a-z ]+); do/g;
  const [withSchema, withAdmin] = [sorted(databaseServices), sorted([...serviceNames, 'admin'])];
  expect(namesAfter('deploy/chart/examples/cloudnative-pg-cluster.yaml', loop)).toEqual([withSchema]);
  expect(namesAfter('deploy/chart/examples/nats-users.yaml', loop)).toEqual([withAdmin]);
  expect(namesAfter('deploy/observability/README.md', loop)).toEqual([withSchema]);
  const runbook = (name: string): string => `deploy/observability/runbooks/Parley${name}.md`;
  const many = /^(?:starts|problems) ((?:\w+ ){3,}\w+)$/gm;
  for (const name of ['ProcessDown', 'ServiceAbsent', 'ErrorBudgetBurn-api-availability'])
    expect(namesAfter(runbook(name), many)).toEqual([all]);
  expect(namesAfter(runbook('DatabaseDiskFull'), many)).toEqual([withSchema]);
});

test('Prometheus scrapes all services, and an alert fires when one is absent', () => {
  const { scrape_configs: jobs } = parse(read('deploy/observability/prometheus.yml'));
  expect(sorted(jobs[0].dns_sd_configs[0].names)).toEqual(all);
  const absent = read('deploy/observability/rules/causes.yaml').matchAll(
    /absent\(target_info\{job="parley-(\w+)"/g,
  );
  expect(sorted(Array.from(absent, ([, name = '']) => name))).toEqual(all);
});

test('the glossary, the page on security and the README of deploy name all services', () => {
  const named = (text: string): string[] => serviceNames.filter((name) => !text.includes(name));
  const lineWith = (path: string, word: string): string =>
    read(path)
      .split('\n')
      .find((line) => line.includes(word)) ?? '';
  expect(named(lineWith('docs/glossary.md', '- **service**'))).toEqual([]);
  expect(named(lineWith('deploy/README.md', '| `SERVICE` |'))).toEqual([]);
  const callers = read('docs/security.md').split('\n## Callers')[1] ?? '';
  expect(serviceNames.filter((name) => !callers.includes(`\n| ${name} |`))).toEqual([]);
});
