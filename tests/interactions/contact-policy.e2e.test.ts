import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeEach, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 3, section 19, "Contact policy".

const { baseUrl } = inject('local');
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

let workspace: TestWorkspace;
let offer: object;
beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  offer = { customerId: 'ada', botId: await workspace.publish(npsBot), status: 'Pending' };
});

const once = { count: 1, days: 30 };
const limit = {
  code: 409,
  type: 'contact-limit',
  errors: [{ pointer: '/customerId', retryAt: expect.stringMatching(instant) }],
};

test('a policy is none by default, in force from its answer on, and guarded by its ETag', async () => {
  const { api, client } = workspace;
  expect(await client.contactPolicy.get()).toEqual({ anyBot: null, sameBot: null });
  const set = await api.patch('/contact-policy', { anyBot: once });
  expect(set.body.data).toEqual({ anyBot: once, sameBot: null });
  await client.interactions.create(offer as never);
  expect((await api.post('/interactions', offer)).body).toMatchObject(limit);
  const stale = await api.call('PATCH', '/contact-policy', {
    body: { anyBot: null },
    headers: { 'if-match': '"0.x"' },
  });
  expect(stale.status).toBe(412);
  for (const anyBot of [{ count: 0, days: 1 }, { count: 1 }, { count: 1, days: 366 }, 1]) {
    const refused = await api.patch('/contact-policy', { anyBot });
    expect([refused.status, refused.body.type]).toEqual([400, 'invalid-request']);
  }
  await api.patch('/contact-policy', { anyBot: null });
  expect((await api.post('/interactions', offer)).status).toBe(200);
});

test('single, bulk and PATCH say when it is allowed again, and so does contactability', async () => {
  const { api, client } = workspace;
  await client.contactPolicy.update({ sameBot: once });
  const draft = await client.interactions.create({ ...offer, status: 'Draft' } as never);
  const before = '/customers/ada/contactability?botKey=nps-follow-up';
  expect((await api.get(before)).body.data).toMatchObject({ allowed: true, retryAt: null });
  const made = await client.interactions.create(offer as never);
  const { body } = await api.get<{ retryAt: string }>(before);
  expect(body.data).toMatchObject({ allowed: false, policy: { anyBot: null, sameBot: once } });
  expect(Date.parse(`${body.data.retryAt}Z`) - Date.parse(`${made.createdAt}Z`)).toBe(30 * 86_400_000);
  const asked = await client.customers.getContactability('ada', { botKey: 'nps-follow-up' });
  expect(asked).toEqual(body.data);
  const { errors } = (await api.post('/interactions', offer)).body as unknown as { errors: object[] };
  expect(errors).toMatchObject([{ retryAt: body.data.retryAt }]);
  const bulk = await client.interactions.createBulk({
    interactions: [offer, { ...offer, customerId: 'eve' }, { ...offer, customerId: 'eve' }] as never,
  });
  expect(bulk.data).toMatchObject([{ error: limit }, { interaction: {} }, { error: limit }]);
  const patched = await api.patch(`/interactions/${draft.id}`, { status: 'Pending' });
  expect(patched.body).toMatchObject({ ...limit, errors: [{ pointer: '/status' }] });
  const forced = { status: 'Pending', ignoreContactPolicy: true };
  expect((await api.patch(`/interactions/${draft.id}`, forced)).status).toBe(200);
  await client.interactions.create({ ...offer, ignoreContactPolicy: true } as never);
  const ignored: unknown[] = [];
  for await (const { action, changes } of client.audit.list({ action: 'interaction' }))
    if ('ignoreContactPolicy' in changes) ignored.push(action);
  expect(ignored).toEqual(['interaction.created', 'interaction.updated']);
});

test('the recipe of docs/reach.md asks nobody twice in 30 days', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reach.md'), 'utf8');
  const [, file = '', rows = ''] = /^```csv (\S+)\n([^]*?)^```/m.exec(page) ?? [];
  const blocks = [...page.matchAll(/^```sh once\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = [...blocks.join('').matchAll(/^parley (.*)$/gm)].map(([, line = '']) => line);
  const folder = await mkdtemp(join(tmpdir(), 'parley-once-'));
  const { apiKey, apiSecret } = workspace;
  const env = { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
  const parley = (line = '') => runCommand(line.split(' '), { cwd: folder, env });
  try {
    await writeFile(join(folder, file), rows);
    const [set, first, second, ask] = lines;
    expect((await parley(set)).stdout).toMatch(/any bot {2,}1 interaction in 30 days/);
    expect((await parley(first)).exitCode).toBe(0);
    const refused = await parley(second);
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout.match(/contact policy allows no further/g)).toHaveLength(2);
    expect((await parley(ask)).stdout).toMatch(/^an interaction of me is allowed from \S+Z\n$/);
    expect((await workspace.client.interactions.list()).meta.totalResults).toBe(2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
