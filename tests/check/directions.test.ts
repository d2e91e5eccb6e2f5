import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { serviceNames } from '@parley/contracts/services';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// The dependencies of each package. An undeclared package cannot be imported.
const declared: Record<string, string[]> = {
  contracts: [],
  deployment: ['contracts'],
  runtime: ['contracts'],
  bot: ['contracts', 'runtime'],
  client: [],
  // They bundle the client, so their manifests name it for development only.
  widget: [],
  console: [],
  'browser-files': [],
  nats: ['runtime'],
  rpc: ['contracts', 'runtime'],
  postgres: ['runtime'],
  events: ['contracts', 'nats', 'postgres', 'rpc', 'runtime'],
  audit: ['contracts', 'postgres', 'rpc', 'runtime'],
  local: ['browser-files', 'contracts', 'postgres', 'rpc', 'runtime'],
  testing: ['client', 'contracts', 'local', 'postgres', 'rpc', 'runtime'],
  // It bundles its dependencies, too.
  cli: [],
  gateway: ['browser-files', 'contracts', 'deployment', 'nats', 'rpc', 'runtime'],
  identity: ['audit', 'contracts', 'nats', 'postgres', 'rpc', 'runtime'],
  customer: ['audit', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  interaction: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  webhook: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  insight: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
};

/** The folders of a service. Each may import earlier ones, and the shared files beside them. */
const rooms: Record<string, { ordered: string[]; shared: string[] }> = {
  webhook: {
    ordered: [
      'sending',
      'scheduling',
      'deliveries',
      'ownership',
      'dispatch',
      'subscriptions',
      'intake',
      'webhooks',
      'log',
      'controls',
    ],
    shared: ['schema.ts', 'metrics.ts', 'transaction.ts', 'auditing.ts'],
  },
  interaction: {
    ordered: [
      'bots',
      'interactions',
      'creating',
      'changing',
      'listing',
      'exporting',
      'conversations',
      'model',
      'facts',
      'removal',
      'demo',
    ],
    shared: ['schema.ts', 'deps.ts', 'metrics.ts', 'in-slices.ts', 'stopped-sql.ts'],
  },
  customer: {
    ordered: ['erasure', 'retention', 'customers'],
    shared: ['schema.ts', 'auditing.ts'],
  },
  insight: {
    ordered: ['figures', 'generations', 'counting', 'rebuild', 'rounds', 'reading'],
    shared: ['schema.ts'],
  },
  gateway: {
    ordered: [
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
    ],
    shared: ['config.ts', 'peers.ts', 'route-deps.ts'],
  },
};
/** Each of these knows others: who may do what depends on keys, people and links at once. */
const roomsOfIdentity = ['keys', 'leases', 'makers', 'people', 'portal', 'rules', 'workspaces'];

/** Imports that go the other way. */
const excepted: Record<string, string[]> = {
  gateway: [
    // Types only: the names of errors and tags.
    'http/route.ts: openapi',
    'http/route.ts: openapi',
    // They describe all routes.
    'openapi/document.test.ts: routes.ts',
    'openapi/print.ts: routes.ts',
  ],
};

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

test('every package depends on the declared packages only', () => {
  const found = manifests.map(({ manifest }) => manifest.name.slice('@parley/'.length)).sort();
  expect(found).toEqual(Object.keys(declared).sort());
  for (const { manifest } of manifests) {
    const name = manifest.name.slice('@parley/'.length);
    expect(ours(manifest.dependencies).sort(), name).toEqual(declared[name]);
  }
});

test('no service or package depends on a service, tests included', () => {
  for (const { manifest } of manifests) {
    const all = [...ours(manifest.dependencies), ...ours(manifest.devDependencies)];
    expect(
      all.filter((dependency) => (serviceNames as readonly string[]).includes(dependency)),
      manifest.name,
    ).toEqual([]);
  }
});

function foldersOf(service: string): string[] {
  const folders = readdirSync(join(root, 'services', service, 'src'), { withFileTypes: true });
  return folders.flatMap((one) => (one.isDirectory() && one.name !== 'migrations' ? [one.name] : []));
}

test('every folder of a service is listed here', () => {
  for (const [service, { ordered }] of Object.entries(rooms)) {
    expect(foldersOf(service).toSorted(), service).toEqual(ordered.toSorted());
  }
  expect(foldersOf('identity').toSorted()).toEqual(roomsOfIdentity);
});

/** Returns the imports of a later folder, or of files that are not shared. */
function importsAgainst(
  service: string,
  { ordered, shared }: { ordered: string[]; shared: string[] },
): string[] {
  const source = join(root, 'services', service, 'src');
  return ordered.flatMap((folder, at) => {
    const known = [...ordered.slice(0, at), ...shared];
    const files = globSync(`${folder}/**/*.ts`, { cwd: source }).toSorted();
    return files.flatMap((file) => {
      const paths = readFileSync(join(source, file), 'utf8').matchAll(/(?:from |import\()'\.\.\/([^'/]+)/g);
      const imported = Array.from(paths, ([, first = '']) => first);
      return imported.filter((first) => !known.includes(first)).map((first) => `${file}: ${first}`);
    });
  });
}

test.each(Object.entries(rooms))('no folder of the %s service imports a later one', (service, listed) => {
  expect(importsAgainst(service, listed)).toEqual(excepted[service] ?? []);
});
