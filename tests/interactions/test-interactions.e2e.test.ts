import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startReceiver } from '@parley/testing/peers/receiver';
import { eventually } from '@parley/testing/eventually';
import { beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { openBrowser, type Snapshot } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { countsOf, figuresOf, newPlace, type Place, simple } from '../insight/insight-conversations.ts';

// Contract 3, section 19, "Tests": a test interaction beside a real one.

let place: Place;
let workspace: Place['workspace'];
let real: string;
let tried: string;
let snapshots: Snapshot[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let webhookId: string;

beforeAll(async () => {
  place = await newPlace(simple);
  ({ workspace } = place);
  const { client } = workspace;
  receiver = await startReceiver();
  const events = ['InteractionCreated', 'InteractionStarted', 'InteractionCompleted'] as const;
  const hook = { url: receiver.url, secretToken: 's', isActive: true, events: [...events] };
  ({ id: webhookId } = await client.webhooks.create(hook));
  await client.webhooks.updateOptions(webhookId, { envelope: true });
  const wanted = { customerId: 'ada', botKey: 'simple', status: 'Pending' } as const;
  ({ id: real } = await client.interactions.create(wanted));
  const bulk = await client.interactions.createBulk({ interactions: [{ ...wanted, isTest: true }] });
  const [made] = bulk.data;
  if (!made || !('interaction' in made)) throw new Error('nothing was made');
  ({ id: tried } = made.interaction);
  const browser = await openBrowser(place.baseUrl, workspace, 'ada');
  const hold = async (id: string): Promise<Snapshot> =>
    browser.say(id, await browser.start(id), { value: 9 });
  snapshots = [await hold(real), await hold(tried)];
});

const parley = (args: string[], cwd?: string) =>
  runCommand(args, {
    ...(cwd !== undefined && { cwd }),
    env: {
      PARLEY_URL: place.baseUrl,
      PARLEY_API_KEY: workspace.apiKey,
      PARLEY_API_SECRET: workspace.apiSecret,
    },
  });

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: string; isTest?: true })
    .filter(({ id }) => id !== undefined);

test('a test works in every way and is marked, and others have no mark', async () => {
  const { interactions, customers, webhooks } = workspace.client;
  expect(snapshots).toMatchObject([{ status: 'Completed' }, { status: 'Completed', isTest: true }]);
  expect(snapshots[0]).not.toHaveProperty('isTest');
  expect(await interactions.get(tried)).toMatchObject({ isTest: true, status: 'Completed' });
  expect(await interactions.get(real)).not.toHaveProperty('isTest');
  const marked = async (query: object) => {
    const { data, meta } = await interactions.list(query);
    expect(meta.totalResults).toBe(data.length);
    return data.map(({ id, isTest }) => [id, isTest]);
  };
  const both = [
    [tried, true],
    [real, undefined],
  ];
  const filters = [{}, { status: 'Completed' }, { customerId: 'ada' }, { evaluation: ['score:9'] }];
  for (const filter of [...filters, { createdFrom: '2026-01-01T00:00:00Z' }]) {
    expect(await marked(filter)).toEqual(both);
    expect(await marked({ ...filter, isTest: true })).toEqual([both[0]]);
    expect(await marked({ ...filter, isTest: false })).toEqual([both[1]]);
  }
  const { interactions: own } = await customers.get('ada');
  expect(own.map(({ id, isTest }) => [id, isTest])).toEqual(both);
  await eventually(async () => {
    const { data } = await webhooks.deliveries.list(webhookId);
    const about = data.map(({ interactionId, isTestInteraction }) => [interactionId, isTestInteraction]);
    expect(new Set(about.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify([tried, true]), JSON.stringify([real, undefined])]),
    );
    expect(data.every(({ isTest }) => !isTest)).toBe(true);
  });
});

test('its webhooks have a header field and a field of the interaction, which filters can read', async () => {
  type Body = { type: string; data: { id: string; isTest?: true } };
  await eventually(() => {
    const got = receiver.requests.map(({ headers, body }) => {
      const { type, data } = JSON.parse(body.toString()) as Body;
      return [type, data.id, headers['x-parley-test'], data.isTest];
    });
    for (const type of ['InteractionCreated', 'InteractionStarted', 'InteractionCompleted']) {
      expect(got).toContainEqual([type, tried, '1', true]);
      expect(got).toContainEqual([type, real, undefined, undefined]);
    }
  });
  const { id } = await workspace.client.webhooks.sendTest(webhookId);
  await eventually(() => {
    const sent = receiver.requests.find(({ headers }) => headers['x-parley-delivery-id'] === id);
    expect(sent?.headers['x-parley-test']).toBe('true');
  });
  const filter = { filter: '!interaction.isTest' };
  expect(await workspace.client.webhooks.updateOptions(webhookId, filter)).toMatchObject(filter);
});

test('it is not in insight', async () => {
  const insight = await figuresOf(place);
  expect(countsOf(insight)).toMatchObject({ created: 1, started: 1, completed: 1 });
  expect(insight.evaluation).toMatchObject({ score: { n: 1 } });
});

test('it is in no export, unless that asks for tests', async () => {
  await eventually(async () => {
    const plain = await parley(['export']);
    expect(linesOf(plain.stdout).map(({ id }) => id)).toEqual([real]);
    expect(plain.stdout).not.toContain('isTest');
    const tests = await parley(['export', '--test']);
    expect(linesOf(tests.stdout)).toMatchObject([{ id: tried, isTest: true }]);
  });
  const csv = await parley(['export', '--format', 'csv', '--bot', 'simple']);
  expect(csv.stdout).toContain(real);
  expect(csv.stdout).not.toContain(tried);
});

test('one call deletes all tests and nothing else', async () => {
  const { api, client } = workspace;
  for (const query of ['', '?isTest=false', '?isTest=1']) {
    const refused = await api.delete(`/interactions${query}`);
    expect([query, refused.status, refused.body.type]).toEqual([query, 400, 'invalid-request']);
  }
  const items = Array.from({ length: 150 }, () => ({ customerId: 'ada', botKey: 'simple', isTest: true }));
  await client.interactions.createBulk({ interactions: items });
  const { stdout, stderr } = await parley(['interaction', 'delete-tests', '--yes']);
  expect([stdout, stderr]).toEqual(['151 test interactions deleted\n', '']);
  expect(await client.interactions.deleteTests({ isTest: true })).toEqual({ deleted: 0, hasMore: false });
  const { data } = await client.interactions.list();
  expect(data.map(({ id }) => id)).toEqual([real]);
  const audited: string[] = [];
  for await (const { action } of client.audit.list({ action: 'interaction.deleted', limit: 100 }))
    audited.push(action);
  expect(audited).toHaveLength(151);
});

test('the recipe of docs/reach.md creates tests and removes them', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reach.md'), 'utf8');
  const [, file = '', rows = ''] = /^```csv (\S+)\n([^]*?)^```/m.exec(page) ?? [];
  const lines = [...page.matchAll(/^```sh try\nparley (.*)\n```$/gm)].map(([, line = '']) => line);
  await workspace.publish(npsBot);
  const folder = await mkdtemp(join(tmpdir(), 'parley-reach-'));
  try {
    await writeFile(join(folder, file), rows);
    const [create = '', remove = ''] = lines;
    const made = await parley(create.split(' '), folder);
    expect([made.stderr, made.exitCode]).toEqual(['2 of 2 lines sent, 0 rejected\n', 0]);
    const { data } = await workspace.client.interactions.list({ isTest: true });
    expect(data.map(({ customerId }) => customerId)).toEqual(['my-colleague', 'me']);
    for (const { link } of data) expect(made.stdout).toContain(link);
    expect((await parley(remove.split(' '))).stdout).toBe('2 test interactions deleted\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
