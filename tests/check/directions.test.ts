import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { serviceNames } from '@parley/contracts/services';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// The dependencies of each package. An undeclared package cannot be imported.
const declared: Record<string, string[]> = {
  contracts: [],
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
  gateway: ['bot', 'browser-files', 'contracts', 'nats', 'rpc', 'runtime'],
  identity: ['audit', 'contracts', 'nats', 'postgres', 'rpc', 'runtime'],
  customer: ['audit', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  interaction: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  webhook: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
  insight: ['audit', 'bot', 'contracts', 'events', 'postgres', 'rpc', 'runtime'],
};

// The folders of the webhook service. Each may import earlier folders and the shared files.
const webhookFolders = [
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
];
const shared = ['schema.ts', 'metrics.ts', 'transaction.ts', 'auditing.ts'];

// The same for the interaction service.
const interactionFolders = ['bots', 'interactions', 'conversations', 'model', 'removal'];
const interactionShared = [
  'schema.ts',
  'deps.ts',
  'metrics.ts',
  'in-slices.ts',
  'list-position.ts',
  'stopped-sql.ts',
];

// The same for the insight service.
const insightFolders = ['figures', 'generations', 'counting', 'rebuild', 'rounds', 'reading'];

// The same for the gateway.
const gatewayFolders = [
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
const gatewayShared = ['config.ts', 'peers.ts', 'route-deps.ts'];

// The rooms of packages: folders, and files beside them. Each may import earlier ones.
const roomsOfPackages: Record<string, string[]> = {
  'packages/bot/src': [
    'work',
    'text',
    'expressions',
    'questions',
    'definition',
    'plan',
    'engine',
    'model',
    'validation',
    'filters',
    'compare',
    'figures',
    'personal',
    'replay',
    'preview',
  ],
  'packages/widget/src': [
    'page',
    'ui/strings',
    'ui/language',
    'model.ts',
    'customer',
    'conversation',
    'client.ts',
    'ui/styles',
    'ui/look',
    'ui/dom',
    'ui/questions',
    'ui/conversation',
    'ui/screens',
    'sdk',
    'popup.ts',
    'index.ts',
    'react.ts',
    'landing.ts',
    'loader.ts',
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

/** Returns the imports of a later folder, or of files that are not shared. */
function importsAgainst(service: string, ordered: string[], besides: string[]): string[] {
  const source = join(root, 'services', service, 'src');
  return ordered.flatMap((folder, at) => {
    const known = [...ordered.slice(0, at), ...besides];
    const files = globSync(`${folder}/**/*.ts`, { cwd: source }).toSorted();
    expect(files.length, folder).toBeGreaterThan(0);
    return files.flatMap((file) => {
      const paths = readFileSync(join(source, file), 'utf8').matchAll(/(?:from |import\()'\.\.\/([^'/]+)/g);
      const imported = Array.from(paths, ([, first = '']) => first);
      return imported.filter((first) => !known.includes(first)).map((first) => `${file}: ${first}`);
    });
  });
}

test('no folder of the webhook service imports a later one', () => {
  expect(importsAgainst('webhook', webhookFolders, shared)).toEqual([]);
});

test('no folder of the interaction service imports a later one', () => {
  expect(importsAgainst('interaction', interactionFolders, interactionShared)).toEqual([]);
});

test('no folder of the insight service imports a later one', () => {
  expect(importsAgainst('insight', insightFolders, ['schema.ts'])).toEqual([]);
});

test('no folder of the gateway imports a later one', () => {
  expect(importsAgainst('gateway', gatewayFolders, gatewayShared)).toEqual([
    // Types only: the names of errors and tags.
    'http/route.ts: openapi',
    'http/route.ts: openapi',
    // They describe all routes.
    'openapi/document.test.ts: routes.ts',
    'openapi/print.ts: routes.ts',
  ]);
});

/** Returns the imports of a later room, and the files that are in no listed room. Tests may use all rooms. */
function importsAgainstRooms(source: string, ordered: string[]): string[] {
  const roomOf = (path: string): number =>
    ordered.findIndex((room) => path === room || path.startsWith(`${room}/`));
  const files = globSync('**/*.{ts,tsx}', { cwd: join(root, source) }).filter(
    (file) => !file.includes('.test.'),
  );
  return files.toSorted().flatMap((file) => {
    const room = roomOf(file);
    if (room < 0) return [`${file} is in no listed room`];
    const paths = readFileSync(join(root, source, file), 'utf8').matchAll(
      /(?:from |import\()'(\.\.?\/[^']+\.tsx?)'/g,
    );
    return Array.from(paths, ([, path = '']) => join(dirname(file), path))
      .filter((path) => roomOf(path) > room || roomOf(path) < 0)
      .map((path) => `${file}: ${path}`);
  });
}

test('no room of the bot language imports a later one', () => {
  expect(importsAgainstRooms('packages/bot/src', roomsOfPackages['packages/bot/src'] ?? [])).toEqual([]);
});

test('no room of the widget imports a later one', () => {
  expect(importsAgainstRooms('packages/widget/src', roomsOfPackages['packages/widget/src'] ?? [])).toEqual([
    // Types only: what the chunk of the screens exports.
    'sdk/panel.ts: popup.ts',
  ]);
});

test.each(Object.entries(roomsOfPackages))(
  'every room of %s exists, and has 2 to 20 files',
  (source, ordered) => {
    const sizes = new Map<string, number>();
    for (const file of globSync('**/*.{ts,tsx}', { cwd: join(root, source) })) {
      sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
    }
    expect([...sizes].filter(([, size]) => size < 2 || size > 20)).toEqual([]);
    const found = globSync(ordered, { cwd: join(root, source) });
    expect(found.toSorted()).toEqual(ordered.toSorted());
  },
);
