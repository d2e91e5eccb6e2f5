import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { serviceNames } from '@parley/contracts/services';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// The dependencies of each package. An undeclared package cannot be imported.
const declared: Record<string, string[]> = {
  contracts: [],
  deployment: ['contracts'],
  runtime: ['contracts'],
  bot: ['contracts', 'runtime'],
  'bot-import': ['bot', 'runtime'],
  'bot-translations': ['bot', 'bulk'],
  bulk: ['contracts', 'runtime'],
  client: [],
  report: ['bot'],
  // They bundle the client, so their manifests name it for development only.
  widget: [],
  console: [],
  'browser-files': [],
  'sdk-generator': [],
  'sdk-python': [],
  nats: ['runtime'],
  rpc: ['contracts', 'runtime'],
  postgres: ['runtime'],
  events: ['contracts', 'nats', 'postgres', 'rpc', 'runtime'],
  audit: ['contracts', 'postgres', 'rpc', 'runtime'],
  local: ['browser-files', 'contracts', 'postgres', 'rpc', 'runtime'],
  testing: ['client', 'contracts', 'local', 'postgres', 'rpc', 'runtime'],
  // It bundles its dependencies, too.
  cli: [],
  gateway: [
    'bot',
    'browser-files',
    'bulk',
    'contracts',
    'deployment',
    'nats',
    'rpc',
    'runtime',
    'sdk-generator',
  ],
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
      'contacts',
      'creating',
      'open-links',
      'changing',
      'listing',
      'exporting',
      'conversations',
      'model',
      'facts',
      'removal',
      'demo',
    ],
    shared: [
      'schema.ts',
      'deps.ts',
      'metrics.ts',
      'in-slices.ts',
      'stopped-sql.ts',
      'test-sql.ts',
      'due-sql.ts',
    ],
  },
  customer: {
    ordered: ['erasure', 'retention', 'customers'],
    shared: ['schema.ts', 'auditing.ts'],
  },
  insight: {
    ordered: ['figures', 'generations', 'counting', 'rounds', 'reading'],
    shared: ['schema.ts'],
  },
  gateway: {
    ordered: [
      'values',
      'http/request',
      'http/answer',
      'http/server',
      'limits',
      'auth',
      'api',
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
    // It holds the bytes of a whole request.
    'http/request/held-bytes.test.ts: http/answer',
    // Types only: the names of errors and tags.
    'http/server/route.ts: openapi',
    'http/server/route.ts: openapi',
    // They describe all routes.
    'openapi/document.test.ts: routes.ts',
    'openapi/print.ts: routes.ts',
    // It starts the gateway.
    'demo/config.ts: service.ts',
    'demo/main.ts: service.ts',
  ],
};

// The rooms of packages: folders, and files beside them. Each may import earlier ones.
const roomsOfPackages: Record<string, string[]> = {
  'packages/bot/src': [
    'bounds',
    'text',
    'expressions',
    'questions',
    'email',
    'definition',
    'plan',
    'engine',
    'model',
    'revising',
    'validation',
    'filters',
    'compare',
    'editing',
    'translations',
    'figures',
    'personal',
    'replay',
    'preview',
    'templates',
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

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((one) => (one.isDirectory() && one.name !== 'migrations' ? [one.name] : []));
}

/** Returns the folders of a service. A folder whose own folders are in `listed` is given by these. */
function foldersOf(service: string, listed: readonly string[]): string[] {
  const source = `services/${service}/src`;
  return foldersIn(source).flatMap((folder) =>
    listed.some((room) => room.startsWith(`${folder}/`))
      ? foldersIn(`${source}/${folder}`).map((inner) => `${folder}/${inner}`)
      : [folder],
  );
}

test('every folder of a service is listed here', () => {
  for (const [service, { ordered }] of Object.entries(rooms)) {
    expect(foldersOf(service, ordered).toSorted(), service).toEqual(ordered.toSorted());
  }
  expect(foldersOf('identity', []).toSorted()).toEqual(roomsOfIdentity);
});

/** Returns the files of a service that a file of it imports. */
function importsOf(source: string, file: string): string[] {
  const paths = readFileSync(join(source, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g);
  return Array.from(paths, ([, path = '']) => relative(source, resolve(source, dirname(file), path)));
}

/** Returns the imports of a later folder, or of files that are not shared. */
function importsAgainst(
  service: string,
  { ordered, shared }: { ordered: string[]; shared: string[] },
): string[] {
  const source = join(root, 'services', service, 'src');
  const roomOf = (file: string): string => ordered.find((room) => file.startsWith(`${room}/`)) ?? file;
  return ordered.flatMap((folder, at) => {
    const known = [...ordered.slice(0, at + 1), ...shared];
    const files = globSync(`${folder}/**/*.ts`, { cwd: source }).toSorted();
    return files.flatMap((file) => {
      const imported = importsOf(source, file).map(roomOf);
      return imported.filter((room) => !known.includes(room)).map((room) => `${file}: ${room}`);
    });
  });
}

test.each(Object.entries(rooms))('no folder of the %s service imports a later one', (service, listed) => {
  expect(importsAgainst(service, listed)).toEqual(excepted[service] ?? []);
});

test('a presenter knows neither HTTP nor the routes that use it', () => {
  const source = join(root, 'services/gateway/src');
  const presenters = globSync('api/*/present*.ts', { cwd: source }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  expect(presenters.length).toBeGreaterThan(10);
  const wrong = presenters.flatMap((file) =>
    importsOf(source, file)
      .filter((path) => /^http\/|routes\.ts$/.test(path))
      .map((path) => `${file}: ${path}`),
  );
  expect(wrong).toEqual([]);
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

test.each(Object.entries(roomsOfPackages))('every room of %s exists', (source, ordered) => {
  const found = globSync(ordered, { cwd: join(root, source) });
  expect(found.toSorted()).toEqual(ordered.toSorted());
});
