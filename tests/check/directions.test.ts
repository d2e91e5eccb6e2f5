import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const services = ['identity', 'customer', 'interaction', 'webhook', 'gateway'];

// What each package depends on. A package that is not declared cannot be imported, so this is the whole truth.
const declared: Record<string, string[]> = {
  contracts: [],
  runtime: [],
  bot: ['runtime'],
  client: [],
  // It bundles the client, so its published manifest does not name it.
  widget: [],
  'browser-files': ['client', 'widget'],
  rpc: ['contracts', 'runtime'],
  postgres: ['runtime'],
  events: ['contracts', 'postgres', 'runtime'],
  local: ['browser-files', 'contracts', 'postgres', 'rpc', 'runtime'],
  testing: ['client', 'contracts', 'local', 'postgres', 'rpc', 'runtime'],
  // Likewise.
  cli: [],
  gateway: ['browser-files', 'contracts', 'events', 'rpc', 'runtime'],
  identity: ['contracts', 'events', 'postgres', 'rpc', 'runtime'],
  customer: ['contracts', 'postgres', 'rpc', 'runtime'],
  interaction: ['bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  webhook: ['contracts', 'events', 'postgres', 'rpc', 'runtime'],
};

// The rooms of the webhook service. Each knows those before it, and of what lies beside them only what all of them share.
const rooms = ['sending', 'rules', 'deliveries', 'ownership', 'delivering', 'intake', 'webhooks', 'log'];
const shared = ['schema.ts', 'metrics.ts', 'transaction.ts'];

// Likewise for the gateway.
const gatewayRooms = [
  'values',
  'http',
  'limits',
  'auth',
  'present',
  'routes',
  'public',
  'openapi',
  'docs',
  'pages',
  'demo',
];
const gatewayShared = ['config.ts', 'peers.ts'];

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifests = globSync(['packages/*/package.json', 'services/*/package.json'], { cwd: root }).map(
  (file) => ({
    folder: dirname(file),
    manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
  }),
);

const ours = (dependencies: Record<string, string> = {}): string[] =>
  Object.keys(dependencies)
    .filter((name) => name.startsWith('@parley/'))
    .map((name) => name.slice('@parley/'.length));

test('every package depends on those below it that are named here, and on no others', () => {
  const found = manifests.map(({ manifest }) => manifest.name.slice('@parley/'.length)).sort();
  expect(found).toEqual(Object.keys(declared).sort());
  for (const { manifest } of manifests) {
    const name = manifest.name.slice('@parley/'.length);
    expect(ours(manifest.dependencies).sort(), name).toEqual(declared[name]);
  }
});

test('no service or package depends on a service, not even for its tests', () => {
  for (const { manifest } of manifests) {
    const all = [...ours(manifest.dependencies), ...ours(manifest.devDependencies)];
    expect(
      all.filter((dependency) => services.includes(dependency)),
      manifest.name,
    ).toEqual([]);
  }
});

/** Imports of a room that comes after the importing one, or of what puts the rooms together. */
function importsAgainst(service: string, ordered: string[], besides: string[]): string[] {
  const source = join(root, 'services', service, 'src');
  return ordered.flatMap((room, at) => {
    const known = [...ordered.slice(0, at), ...besides];
    const files = globSync(`${room}/**/*.ts`, { cwd: source }).toSorted();
    expect(files.length, room).toBeGreaterThan(0);
    return files.flatMap((file) => {
      const paths = readFileSync(join(source, file), 'utf8').matchAll(/(?:from |import\()'\.\.\/([^'/]+)/g);
      const imported = Array.from(paths, ([, first = '']) => first);
      return imported.filter((first) => !known.includes(first)).map((first) => `${file}: ${first}`);
    });
  });
}

test('no room of the webhook service knows one that comes after it, or what puts them together', () => {
  expect(importsAgainst('webhook', rooms, shared)).toEqual([]);
});

test('no room of the gateway knows one that comes after it, or what puts them together', () => {
  expect(importsAgainst('gateway', gatewayRooms, gatewayShared)).toEqual([
    // Types only: the names of errors and tags.
    'http/route.ts: openapi',
    'http/route.ts: openapi',
    // They describe all routes.
    'openapi/document.test.ts: routes.ts',
    'openapi/print.ts: routes.ts',
  ]);
});
