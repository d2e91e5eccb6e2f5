import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupOrder, databaseServices, serviceNames, services } from '@parley/contracts/services';
import { expect, test } from 'vitest';

// What no code can take from packages/contracts/src/services.ts.

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sorted = (names: readonly string[]): string[] => names.toSorted();
const all = sorted(serviceNames);

test('each service is a folder, and the last one of an update is the gateway, which calls the others', () => {
  expect(sorted(readdirSync(join(root, 'services')))).toEqual(all);
  expect(serviceNames.at(-1)).toBe('gateway');
  expect(services.gateway.calls).toEqual(databaseServices);
});

test('separate backups dump all schemas, the customers first and the consumers of events before their producer', () => {
  expect(sorted(backupOrder)).toEqual(sorted(databaseServices));
  expect([backupOrder[0], backupOrder.at(-1)]).toEqual(['customer', 'identity']);
  for (const consumer of databaseServices.filter((name) => services[name].bus.consumesEvents))
    expect(backupOrder.indexOf(consumer)).toBeLessThan(backupOrder.indexOf('interaction'));
});

test('the architecture, the page on scaling and the callers on the page on security name all services', () => {
  const missing = (text: string): string[] => serviceNames.filter((name) => !text.includes(`| ${name} |`));
  const sectionOf = (path: string, title: string): string =>
    read(path).split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  expect(missing(sectionOf('docs/security.md', 'Callers'))).toEqual([]);
  expect(missing(sectionOf('docs/operations/scaling.md', 'More processes'))).toEqual([]);
  const [, diagram = ''] = read('docs/architecture.md').split('```');
  expect(serviceNames.filter((name) => !diagram.includes(name))).toEqual([]);
});
