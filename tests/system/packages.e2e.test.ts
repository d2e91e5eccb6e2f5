import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { build } from 'vite';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

// The result of `npm pack`, in a project without other files of this repository.

const root = resolve(import.meta.dirname, '../..');
const packages = ['client', 'widget'];
const all = [...packages, 'cli'];
const entries = ['@parley/client', '@parley/client/public', '@parley/client/webhook', '@parley/widget'];

// The packages support Node 20.3 and newer. npm has this one for both architectures of Linux, and none for macOS.
const oldVersion = '20.5.1';

let project: string;
// The path of each Node that runs the packages, by its version.
const nodes = new Map([[process.version, process.execPath]]);
const tarballs = new Map<string, string>();

/** Runs a command in the project. A failure has its output. */
async function run(command: string, args: string[], cwd = project): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return expect.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-packages-'));
  await Promise.all(
    all.map(async (name) => {
      const args = ['pack', '--json', '--pack-destination', project];
      const [packed] = JSON.parse(await run('npm', args, join(root, 'packages', name)));
      tarballs.set(name, packed.filename);
    }),
  );
  if (process.platform === 'linux') {
    const fetched = ['--yes', '--prefer-offline', `--package=node-linux-${process.arch}@${oldVersion}`];
    const path = await run('npm', ['exec', ...fetched, '--', 'node', '-p', 'process.execPath']);
    nodes.set(`v${oldVersion}`, path.trim());
  }
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await run('npm', [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    ...Array.from(tarballs.values(), (file) => `./${file}`),
  ]);
  // React is the page's own.
  await mkdir(join(project, 'node_modules/@types'));
  const react = { react: '.', 'react-dom': '.', '@types/react': 'packages/widget' };
  for (const [name, owner] of Object.entries(react)) {
    await symlink(join(root, owner, 'node_modules', name), join(project, 'node_modules', name));
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

test.each(packages)(
  '%s has a valid manifest, and types for every way to import it and every resolution',
  async (name) => {
    const tarball = tarballs.get(name) ?? '';
    await run('publint', [tarball, '--strict']);
    await run('attw', [tarball, '--profile', 'strict', '--no-definitely-typed']);
  },
);

test.each(packages)('%s refers to nothing that only this workspace has', async (name) => {
  const manifest = await readFile(join(project, 'node_modules/@parley', name, 'package.json'), 'utf8');
  expect(manifest).not.toMatch(/workspace:|catalog:/);
});

test('a strict TypeScript project compiles against them, as ES modules and as CommonJS', async () => {
  const source = `
    import { createClient, type Customer } from '@parley/client';
    import { createPublicClient } from '@parley/client/public';
    import { verifyWebhook } from '@parley/client/webhook';
    import { connect, init, type Widget } from '@parley/widget';
    import { ParleyWidget, type ParleyWidgetProps, useConversation } from '@parley/widget/react';
    export const props: Partial<ParleyWidgetProps> = { onOpen: ({ interactionId }) => interactionId.length };
    export const said = () =>
      useConversation({ baseUrl: '', workspaceId: '', getCustomerToken: () => null }).snapshot?.entries[0]?.body;
    export const widget: Widget = init({ baseUrl: '', workspaceId: '', getCustomerToken: () => null });
    export async function first(): Promise<Customer | undefined> {
      const { customers } = createClient({ baseUrl: '', apiKey: '', apiSecret: '' }).workspace('w');
      for await (const customer of customers.list({ pageSize: 1 })) return customer;
      return (await customers.list()).data[0];
    }
    // @ts-expect-error A customer has no such field.
    export const wrong = async () => (await first())?.surname;
    export const others = [connect, createPublicClient, ParleyWidget, verifyWebhook];`;
  await Promise.all(['types.mts', 'types.cts'].map((file) => writeFile(join(project, file), source)));
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', ''];
  await run('tsc', [...options, 'types.mts', 'types.cts']);
});

test('both module formats, on this Node and on Node 20, call the API and verify a webhook, like two other libraries', async () => {
  const { baseUrl } = inject('local');
  const { id, apiKey, apiSecret, client } = await createWorkspace(baseUrl, inject('operator'));
  await using receiver = await startReceiver();
  const hook = await client.webhooks.create({ url: receiver.url, secretToken: 't', isActive: true });
  const { signingSecret } = await client.webhooks.rotateSigningSecret(hook.id);
  await client.webhooks.sendTest(hook.id);
  const { headers, body } = await eventually(() => {
    const [request] = receiver.requests;
    if (!request) throw new Error('no request has arrived yet');
    return { headers: request.headers as Record<string, string>, body: request.body.toString() };
  });
  for (const Webhook of [StandardWebhook, SvixWebhook]) {
    expect(() => void new Webhook(signingSecret).verify(body, headers)).not.toThrow();
    expect(() => void new Webhook(signingSecret).verify(`${body} `, headers)).toThrow();
  }

  const given = JSON.stringify({ baseUrl, apiKey, apiSecret, id, headers, body, signingSecret });
  const script = `
    (async () => {
      const { baseUrl, apiKey, apiSecret, id, headers, body, signingSecret } = ${given};
      const { customers } = createClient({ baseUrl, apiKey, apiSecret }).workspace(id);
      const { id: created } = await customers.create({ id: \`\${kind} \${process.version}\` });
      const event = await verifyWebhook({ headers, body }, signingSecret);
      const refused = await verifyWebhook({ headers, body }, 'whsec_AAAA').catch((error) => error.name);
      const invalid = await customers.create({}).catch((error) => error instanceof ParleyError);
      console.log(JSON.stringify([created, event.id, refused, invalid, typeof init]));
    })();`;
  const names = ['{ createClient, ParleyError }', '{ createPublicClient }', '{ verifyWebhook }', '{ init }'];
  const imports = names.map((name, at) => `import ${name} from '${entries[at]}';`).join('\n');
  const requires = names.map((name, at) => `const ${name} = require('${entries[at]}');`).join('\n');
  await writeFile(join(project, 'use.mjs'), `${imports}\nconst kind = 'import';${script}`);
  await writeFile(join(project, 'use.cjs'), `${requires}\nconst kind = 'require';${script}`);
  for (const [version, node] of nodes) {
    for (const [file, kind] of [
      ['use.mjs', 'import'],
      ['use.cjs', 'require'],
    ] as const) {
      expect(JSON.parse(await run(node, [file]))).toEqual([
        `${kind} ${version}`,
        headers['webhook-id'],
        'WebhookVerificationError',
        true,
        'function',
      ]);
    }
  }
});

test('the command line runs without the repository: its commands, and the files that it shows', async () => {
  const { baseUrl } = inject('local');
  const { apiKey, apiSecret } = await createWorkspace(baseUrl, inject('operator'));
  const folder = join(project, 'command line');
  await mkdir(folder);
  const keys = { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
  const env = { PATH: process.env['PATH'], HOME: folder, ...keys };
  const program = join(project, 'node_modules/.bin/parley');
  const parley = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { cwd: folder, env })).stdout;
  await parley('bot', 'new', 'feedback.json');
  await writeFile(
    join(folder, 'form.json'),
    JSON.stringify({ title: 'Form', fields: [{ type: 'rating', title: 'How?' }] }),
  );
  await parley('bot', 'import', 'form.json', '--dry-run');
  expect(JSON.parse(await parley('bot', 'schema'))).toHaveProperty('$schema');
  expect(await parley('bot', 'validate', 'feedback.json')).toContain('feedback');
  await parley('bot', 'publish', 'feedback.json', '--url', baseUrl);
  expect(await parley('bot', 'list')).toContain('Feedback');
  expect(await parley('bot', 'templates')).toContain('nps');
  await writeFile(join(folder, 'customers.csv'), 'customerId,firstName\nada,Ada\n');
  await parley(
    'interaction',
    'create',
    '--file',
    'customers.csv',
    '--bot',
    'feedback',
    '--status',
    'Pending',
  );
  expect(await parley('customer', 'find', 'Ada')).toContain('ada');
  expect(await parley('export', '--format', 'csv', '--bot', 'feedback')).toContain('Pending');

  const preview = spawn(program, ['bot', 'preview', 'feedback.json'], { cwd: folder, env });
  try {
    let shown = '';
    preview.stdout.on('data', (chunk) => (shown += String(chunk)));
    const url = await eventually(() => {
      const [found] = /http:\S+/.exec(shown) ?? [];
      if (found === undefined) throw new Error('it has printed no URL yet');
      return found;
    });
    for (const name of ['', 'page.css', 'page.mjs', 'landing.js', 'chunks/fields-a.js']) {
      const response = await fetch(new URL(name, url));
      expect([name, response.status]).toEqual([name, 200]);
    }
  } finally {
    preview.kill();
  }
});

test.each(['esm', 'cjs'])('the React bindings are marked as client code (%s)', async (kind) => {
  const file = join(project, 'node_modules/@parley/widget/dist', kind, 'react.js');
  expect(await readFile(file, 'utf8')).toMatch(/^(?:\/\*.*\*\/\s*)?"use client";/);
});

test('a server renders the React bindings without browser APIs', async () => {
  const script = `
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { ParleyWidget, useConversation } from '@parley/widget/react';
    const options = { baseUrl: 'http://127.0.0.1:9', workspaceId: 'w', getCustomerToken: () => null };
    const Screen = () => createElement('p', null, useConversation(options).stage);
    console.log(renderToString([createElement(ParleyWidget, { key: 1, ...options }), createElement(Screen, { key: 2 })]));`;
  await writeFile(join(project, 'server.mjs'), script);
  expect(await run(process.execPath, ['server.mjs'])).toBe('<p>loading</p>\n');
});

test('a bundler creates a page from them without modules of Node', async () => {
  await writeFile(join(project, 'page.js'), entries.map((entry) => `export * from '${entry}';`).join('\n'));
  const input = join(project, 'page.js');
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: input, formats: ['es'] } },
  });
  const [output] = Array.isArray(result) ? result : [];
  const chunks = output?.output.flatMap((file) => (file.type === 'chunk' ? [file] : [])) ?? [];
  expect(chunks.flatMap(({ imports }) => imports).filter((name) => !name.endsWith('.mjs'))).toEqual([]);
  expect(chunks.find(({ isEntry }) => isEntry)?.exports).toEqual(
    expect.arrayContaining(['createClient', 'createPublicClient', 'verifyWebhook', 'init', 'connect']),
  );
});
