import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { compactVerify, createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { anonymise } from './anonymise.ts';

// Contract 2, section 10: erasure receipts.

interface Erasure {
  id: string;
  requestedBy: string;
  receipt: string | null;
}

const { baseUrl } = inject('local');
const keysUrl = `${baseUrl}/.well-known/parley/erasure-keys`;

let workspace: TestWorkspace;
let folder: string;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  folder = await mkdtemp(join(tmpdir(), 'parley-receipts-'));
  await writeFile(join(folder, 'operator.json'), JSON.stringify(inject('operator')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `parley erasure` with the API key of the workspace, in the folder. */
async function parley(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(['erasure', ...args], {
    cwd: folder,
    env: {
      PARLEY_DATA_DIR: folder,
      PARLEY_API_KEY: workspace.apiKey,
      PARLEY_API_SECRET: workspace.apiSecret,
    },
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

async function erased(customerId: string): Promise<Erasure> {
  await workspace.api.post('/customers', { id: customerId, firstName: 'Zdislava' });
  const { id } = await anonymise(workspace, customerId);
  return (await workspace.api.get<Erasure>(`/erasures/${id}`)).body.data;
}

test('anybody can verify the receipt of an erasure, which says what the API says', async () => {
  const { receipt, ...fields } = await erased('a');
  expect(fields.requestedBy).toBe(workspace.apiKey);
  const { payload } = await compactVerify(receipt ?? '', createRemoteJWKSet(new URL(keysUrl)));
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(fields);
  expect(payload.toString()).not.toContain('Zdislava');
  const { data } = (await workspace.api.get<Erasure[]>('/erasures?customerId=a')).body;
  expect(data).toEqual([{ ...fields, receipt }]);
});

test('the keys are public, cacheable, and have no private part', async () => {
  await erased('b');
  const answer = await fetch(keysUrl);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const { keys } = (await answer.json()) as JSONWebKeySet;
  for (const key of keys) {
    expect(key).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: expect.stringMatching(/^[\w-]{43}$/),
      x: expect.stringMatching(/^[\w-]{43}$/),
    });
  }
  const tag = answer.headers.get('etag') ?? '';
  expect((await fetch(keysUrl, { headers: { 'if-none-match': tag } })).status).toBe(304);
  expect((await fetch(keysUrl, { method: 'POST' })).status).toBe(405);
});

test('the command line lists and saves erasures, and verifies receipts from before and after a rotation', async () => {
  const before = await erased('c');
  expect(JSON.parse(await parley('rotate-key', '--json'))).toEqual({
    kid: expect.any(String),
    x: expect.any(String),
  });
  const after = await erased('d');
  expect(await parley('list', '--url', baseUrl, '--customer-id', 'c')).toContain(`${before.id}  c `);
  for (const { id } of [before, after]) {
    await writeFile(join(folder, 'saved.json'), await parley('get', id, '--url', baseUrl, '--json'));
    const { isValid, erasure } = JSON.parse(
      await parley('verify', 'saved.json', '--url', baseUrl, '--json'),
    ) as { isValid: boolean; erasure: Erasure };
    expect([isValid, erasure.id]).toEqual([true, id]);
  }
  const keys = (await (await fetch(keysUrl)).json()) as JSONWebKeySet;
  for (const { receipt } of [before, after]) {
    await compactVerify(receipt ?? '', createLocalJWKSet(keys));
  }
});

test('the command line repeats erasures that a restore has undone, and reads all of them before the first call', async () => {
  const of = (customerId: string, kind: string, requestedAt = new Date(Date.now() + 60_000)) =>
    JSON.stringify({ workspaceId: workspace.id, customerId, kind, requestedAt });
  for (const id of ['back', 'named']) await workspace.api.post('/customers', { id, firstName: 'Zdislava' });
  const lines = [
    of('back', 'deletion'),
    of('named', 'anonymisation'),
    '',
    of('unknown', 'deletion'),
    of('unknown', 'anonymisation'),
  ];
  await writeFile(join(folder, 'erasures.jsonl'), lines.join('\n'));
  expect(await parley('repeat', 'erasures.jsonl')).toBe('3 erasures repeated, 1 passed over\n');
  expect((await workspace.api.get('/customers/back')).status).toBe(404);
  expect((await workspace.api.get('/customers/named')).body.data).toMatchObject({ firstName: '' });
  await workspace.api.post('/customers', { id: 'kept' });
  await writeFile(join(folder, 'faulty.jsonl'), `${of('kept', 'deletion')}\n{}\n`);
  const env = { PARLEY_DATA_DIR: folder };
  const faulty = await runCommand(['erasure', 'repeat', 'faulty.jsonl'], { cwd: folder, env });
  expect(faulty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('faulty.jsonl, line 2') });
  expect((await workspace.api.get('/customers/kept')).status).toBe(200);
});

test('the recipe for a data-subject request in docs/data/recipes.md runs as it is written', async () => {
  const root = resolve(import.meta.dirname, '../..');
  const page = await readFile(join(root, 'docs/data/recipes.md'), 'utf8');
  const recipe = page.slice(page.indexOf('## Answer a data-subject request')).split('\n## ', 1)[0] ?? '';
  const blocks = [...recipe.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(2);
  await workspace.api.post('/customers', { id: 'ada', firstName: 'Ada', email: 'ada@example.com' });
  const main = join(root, 'packages/cli/src/main.ts');
  const parley = `parley() { '${process.execPath}' --conditions=@parley/source '${main}' "$@"; }\n`;
  const { stdout } = await promisify(execFile)('sh', ['-ec', parley + blocks.join('')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PARLEY_URL: baseUrl,
      PARLEY_WORKSPACE: workspace.id,
      PARLEY_API_KEY: workspace.apiKey,
      PARLEY_API_SECRET: workspace.apiSecret,
    },
  });
  expect(stdout).toMatch(/^ada +Ada +- +ada@example\.com$/m);
  expect(stdout).toContain('ada.json has 0 interactions and 0 deliveries of ada');
  expect(stdout).toMatch(/The receipt is valid: .*\n\n(?:.*\n)*customerId +ada\nkind +deletion\n/);
});
