import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';

const { baseUrl, postgresUrl } = inject('local');
const sample = resolve(import.meta.dirname, '../../packages/bot/samples/nps-follow-up.json');
const url = 'http://127.0.0.1:9/shop';
const secrets = { SHOP_TOKEN: 'the-token-of-the-shop', SHOP_KEY: 'the-key-of-the-shop' };
/** An image of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const settings = `# The workspace of the shop
allowedDomains: [https://shop.example]
branding:
  displayName: Fog & Leaf
  logo: leaf.png
  accentColor: '#1F5C4A'
  endLink: { url: https://shop.example, label: Back to the shop }
retention: { completedDays: 365, draftDays: null }
webhooks:
  - url: ${url}
    secretToken: { env: SHOP_TOKEN }
    isActive: true
    events: [InteractionExpired, InteractionCompleted]
    filter: interaction.priority == 'High'
    ordering: perCustomer
    rateLimit: { perSecond: 10, burst: 20 }
    headers:
      x-api-key: { env: SHOP_KEY }
contactPolicy: { anyBot: { count: 1, days: 30 }, sameBot: null }
`;

interface Plan {
  changes: {
    kind: string;
    action: string;
    name: string;
    fields: { path: string; before?: unknown; after?: unknown }[];
  }[];
  kept: { url: string }[];
}

let folder: string;
let workspace: TestWorkspace;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-apply-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  workspace = await createWorkspace(baseUrl, inject('operator'));
  const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = workspace;
  env = { PARLEY_URL: baseUrl, PARLEY_API_KEY, PARLEY_API_SECRET, ...secrets };
  await write('leaf.png', Buffer.from(png, 'base64'));
  await write('workspace.yaml', settings);
  await write('bots/nps.json', await readFile(sample, 'utf8'));
});

async function write(name: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

/** No output of any test has a secret. */
async function parley(command: 'plan' | 'apply', ...args: string[]) {
  const outcome = await runCommand([command, '-f', folder, ...args], { env });
  for (const secret of Object.values(secrets)) expect(outcome.stdout + outcome.stderr).not.toContain(secret);
  return outcome;
}

async function plan(...args: string[]): Promise<Plan> {
  const { exitCode, stdout, stderr } = await parley('plan', ...args, '--json');
  const read = JSON.parse(stdout) as Plan;
  expect([exitCode, stderr]).toEqual([read.changes.length > 0 ? 2 : 0, '']);
  return read;
}

const namesIn = ({ changes }: Plan) => changes.map(({ action, kind }) => `${action} ${kind}`);
const fieldsIn = ({ changes }: Plan) => changes.flatMap(({ fields }) => fields);

async function apply(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await parley('apply', ...args);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

test('an apply makes all that the plan shows, and a second one does nothing', async () => {
  const shown = await parley('plan');
  expect([shown.exitCode, shown.stderr]).toEqual([2, '']);
  expect(shown.stdout).toMatch(/^~ branding\n {4}displayName\n {4}- null\n {4}\+ "Fog & Leaf"$/m);
  expect(shown.stdout).toContain('"(the value of SHOP_TOKEN)"');
  expect(shown.stdout).toMatch(/\n2 to create, 4 to change\.\n$/);
  const { client } = workspace;
  expect((await client.webhooks.list()).data).toEqual([]);

  expect(await apply()).toMatch(/\ndone: \+ bot nps-follow-up\ndone: ~ retention\n$/);
  const [webhook] = (await client.webhooks.list()).data;
  expect(webhook).toMatchObject({ url, isActive: true, event: 'InteractionCompleted,InteractionExpired' });
  expect(await client.webhooks.getOptions(webhook?.id ?? '')).toMatchObject({
    filter: "interaction.priority == 'High'",
    ordering: 'perCustomer',
    rateLimit: { perSecond: 10, burst: 20 },
    headerNames: ['x-api-key'],
  });
  expect(await client.branding.get()).toMatchObject({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
  expect(await client.retention.get()).toEqual({ completedDays: 365, endedDays: null, draftDays: null });
  const contactPolicy = await client.contactPolicy.get();
  expect(contactPolicy).toEqual({ anyBot: { count: 1, days: 30 }, sameBot: null });

  expect(await plan()).toMatchObject({ changes: [], kept: [] });
  expect(await apply()).toBe('There are no differences.\n');
  const [bot] = (await client.bots.list()).data;
  expect((await client.bots.listVersions(bot?.id ?? '')).data.length).toBe(1);
});

test('a plan shows each field that was changed elsewhere, and nothing that no file names', async () => {
  await apply();
  const { client } = workspace;
  const [webhook] = (await client.webhooks.list()).data;
  const id = webhook?.id ?? '';
  await client.webhooks.updateOptions(id, {
    filter: null,
    envelope: true,
    headers: { 'X-Api-Key': 'a', other: 'b' },
  });
  await client.webhooks.update(id, { isActive: false });
  await client.branding.update({ displayName: 'Other', logo: null, endText: 'Thanks' });
  await client.retention.update({ completedDays: 30, endedDays: 60 });
  await client.contactPolicy.update({ anyBot: { count: 2, days: 30 }, sameBot: { count: 1, days: 7 } });
  const fields = fieldsIn(await plan());
  expect(fields).toEqual([
    { path: 'displayName', before: 'Other', after: 'Fog & Leaf' },
    { path: 'logo', before: null, after: join(folder, 'leaf.png') },
    { path: 'anyBot', before: { count: 2, days: 30 }, after: { count: 1, days: 30 } },
    { path: 'sameBot', before: { count: 1, days: 7 }, after: null },
    { path: 'isActive', before: false, after: true },
    { path: 'filter', before: null, after: "interaction.priority == 'High'" },
    { path: 'headers.other', before: '(secret)' },
    { path: 'completedDays', before: 30, after: 365 },
  ]);
  await apply();
  expect(fieldsIn(await plan())).toEqual([]);
  expect(await client.branding.get()).toMatchObject({ endText: 'Thanks' });
  expect(await client.webhooks.getOptions(id)).toMatchObject({ envelope: true, headerNames: ['x-api-key'] });
});

test('a bot of YAML or JSON gets a version only for another content', async () => {
  await apply();
  const definition = JSON.parse(await readFile(sample, 'utf8')) as {
    name: string;
    steps: { text?: string }[];
  };
  await rm(join(folder, 'bots/nps.json'));
  // JSON is YAML, too; its members are in another order.
  const turned = Object.fromEntries(Object.entries(definition).toReversed());
  await write('bots/nps.yml', `# The bot of the shop\n${JSON.stringify(turned)}`);
  expect(await plan()).toMatchObject({ changes: [] });
  await write('bots/nps.yml', `# The bot of the shop\n${JSON.stringify({ ...turned, name: 'Leaf' })}`);
  const { stdout } = await parley('plan');
  expect(stdout).toMatch(
    /^~ bot nps-follow-up, version 1\n {4}~ the bot\n {8}name\n {8}- .*\n {8}\+ "Leaf"$/m,
  );
  await apply();
  expect(await plan()).toMatchObject({ changes: [] });
  const [bot] = (await workspace.client.bots.list()).data;
  expect(await workspace.client.bots.get(bot?.id ?? '')).toMatchObject({ name: 'Leaf' });
});

test('webhooks that no file names are deleted only with --prune, and only if a file names webhooks', async () => {
  await apply();
  const other = await workspace.client.webhooks.create({ url: 'http://127.0.0.1:9/other', secretToken: 'o' });
  expect(await plan()).toMatchObject({ changes: [], kept: [{ id: other.id, url: other.url }] });
  expect(await apply()).toContain(`webhook ${other.url} (${other.id}) is in no file and stays`);
  expect((await workspace.client.webhooks.list()).data.length).toBe(2);

  await write('workspace.yaml', 'allowedDomains: [https://shop.example]');
  expect(await plan('--prune')).toMatchObject({ changes: [], kept: [] });

  await write('workspace.yaml', settings);
  expect(namesIn(await plan('--prune'))).toEqual(['delete webhook']);
  expect(await apply('--prune')).toContain(`done: - webhook ${other.url}\n`);
  expect((await workspace.client.webhooks.list()).data.map((one) => one.url)).toEqual([url]);
});

test('the files of the documentation can be applied', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/workspace-files.md'), 'utf8');
  const [example = '', bot = ''] = Array.from(page.matchAll(/```yaml\n([^`]*)```/g), ([, text = '']) => text);
  await write('workspace.yaml', example);
  await rm(join(folder, 'bots/nps.json'));
  await write('bots/parcel.yaml', bot);
  await apply();
  expect(await plan()).toMatchObject({ changes: [] });
});

test('with --secrets, an apply sets the secrets again', async () => {
  await apply();
  const { changes } = await plan('--secrets');
  expect(changes).toMatchObject([
    { name: url, fields: [{ path: 'secretToken' }, { path: 'headers.x-api-key' }] },
  ]);
  await apply('--secrets');
});

test('an invalid file changes nothing, and each fault has its file and place', async () => {
  await write(
    'workspace.yaml',
    settings
      .replace("'#1F5C4A'", 'green')
      .replace("== 'High'", '==')
      .replace('x-api-key', 'host')
      .replace('days: 30', 'days: 366'),
  );
  await write('more.json', '{"retention": {"draftDays": 0},\n "webhok": []}');
  await write('bots/late.yaml', 'schemaVersion: 1\nkey: Late\n');
  await write('webhooks/shop.yaml', '{}');
  env = { ...env, SHOP_KEY: '' };
  for (const command of ['plan', 'apply'] as const) {
    const { exitCode, stdout, stderr } = await parley(command);
    expect([exitCode, stdout]).toEqual([1, '']);
    for (const fault of [
      'workspace.yaml:6:16: /branding/accentColor: Must be a colour such as #1f5c4a',
      'workspace.yaml:14:13: /webhooks/0/filter: ',
      'workspace.yaml:18:7: /webhooks/0/headers/host: "host": Is reserved: Parley sets it',
      'workspace.yaml:19:44: /contactPolicy/anyBot/days: ',
      'more.json:1:29: /retention/draftDays: Must be at least 1',
      'more.json:2:2: /webhok: "webhok" is not a known field',
      'bots/late.yaml:2:6: /key: ',
      'webhooks/shop.yaml is in no known folder',
    ])
      expect(stderr).toContain(fault);
  }
  await rm(join(folder, 'webhooks'), { recursive: true });
  await rm(join(folder, 'bots/late.yaml'));
  await write('workspace.yaml', settings);
  await write(
    'more.json',
    JSON.stringify({ retention: {}, webhooks: [{ url, secretToken: { env: 'SHOP_TOKEN' } }] }),
  );
  const { stderr } = await parley('apply');
  expect(stderr).toContain('workspace.yaml:8:12: /retention: Is in ');
  expect(stderr).toContain('The environment variable SHOP_KEY is not set');
  expect(stderr).toContain('Is the URL of another webhook');
  expect(stderr).toContain('Has the same value as that of another webhook (SHOP_TOKEN)');
  expect((await workspace.client.bots.list()).data).toEqual([]);
});

test('a secret in a file is refused, and its line is not shown', async () => {
  for (const text of [
    settings.replace('{ env: SHOP_TOKEN }', secrets.SHOP_TOKEN),
    settings.replace('{ env: SHOP_KEY }', `"${secrets.SHOP_KEY}`),
    settings.replace('secretToken: { env: SHOP_TOKEN }', `secretTokn: ${secrets.SHOP_TOKEN}`),
  ]) {
    await write('workspace.yaml', text);
    expect(await parley('apply')).toMatchObject({ exitCode: 1, stdout: '' });
  }
});

test('a call that fails half way says what is done, and a repeated apply continues', async () => {
  const { webhooks } = workspace.client;
  const other = await webhooks.create({ url: `${url}/other`, secretToken: secrets.SHOP_TOKEN });
  const { exitCode, stdout, stderr } = await parley('apply');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('done: ~ branding\n');
  expect(stderr).toContain(`webhook ${url}: `);
  expect(stderr).toContain('(3 of 6 changes done; the same command continues)');
  const json = await parley('apply', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ done: [], left: [{ action: 'create' }, {}, {}] });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { type: 'secret-token-in-use' } });

  await webhooks.delete(other.id);
  // As after a creation that was cut before the options.
  await webhooks.create({ url, secretToken: secrets.SHOP_TOKEN });
  expect(namesIn(await plan())).toEqual(['update webhook', 'create bot', 'update retention']);
  await apply();
  expect(await plan()).toMatchObject({ changes: [] });
  expect((await webhooks.list()).data).toMatchObject([{ url, isActive: true }]);
});

test('a fault that only the API finds has the place in the file', async () => {
  await write('workspace.yaml', settings.replace('shop.example]', '*.com]'));
  const { stderr } = await parley('apply');
  expect(stderr).toContain('(0 of 6 changes done; the same command continues)');
  expect(stderr).toContain('workspace.yaml:2:18: /allowedDomains/0: Must not allow every host below');
});

test('a retention that deletes interactions at once needs --prune', async () => {
  const botId = await workspace.publish(JSON.parse(await readFile(sample, 'utf8')));
  const { id } = await workspace.client.interactions.create({ customerId: 'c', botId, status: 'Completed' });
  await using connection = await openSqlConnection(postgresUrl);
  // For the triggers that count rows.
  await connection.query('set search_path = interaction');
  await connection.query(
    "update interaction.interaction set updated_at = now() - interval '400 days' where id = $1",
    [id],
  );
  expect(await plan()).toMatchObject({ deletedNow: 1 });
  const { exitCode, stdout, stderr } = await parley('apply');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('workspace.yaml:8:12: /retention: Deletes 1 interaction now');
  expect(await workspace.client.retention.get()).toMatchObject({ completedDays: null });
  await apply('--prune');
  expect(await workspace.client.retention.get()).toMatchObject({ completedDays: 365 });
});

test('of two webhooks with one URL none is changed', async () => {
  for (const secretToken of ['one', 'two']) await workspace.client.webhooks.create({ url, secretToken });
  const { exitCode, stderr } = await parley('apply');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /workspace\.yaml:10:10: \/webhooks\/0\/url: The workspace has 2 webhooks with this URL/,
  );
});

test('a failure of plan has exit code 1, because 2 is a difference', async () => {
  expect(await parley('plan', '--what')).toMatchObject({ exitCode: 1 });
  env = { ...env, PARLEY_URL: '' };
  expect(await parley('plan')).toMatchObject({ exitCode: 1 });
  expect(await parley('apply')).toMatchObject({ exitCode: 2 });
});
