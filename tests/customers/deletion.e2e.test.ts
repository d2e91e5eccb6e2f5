import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { findWords } from '@parley/testing/find-words';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { everythingStored } from '@parley/testing/database/stores';
import { beforeEach, expect, inject, test } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';
import type { Interaction } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 2, section 10: deleting and keeping.

const { baseUrl, postgresUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;
let people = 0;

beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

/** A customer with a name of its own, and a completed conversation in which it is said. */
async function newPerson() {
  people += 1;
  const name = `Zdislava${Date.now()}x${people}`;
  const id = `person-${people}`;
  await workspace.api.post('/customers', { id, firstName: name }, { 'idempotency-key': `customer ${id}` });
  const request = {
    customerId: id,
    botId,
    status: 'Pending',
    context: [{ key: 'productName', value: name }],
  };
  const headers = { 'idempotency-key': `interaction ${id}` };
  const create = () => workspace.api.post<Interaction>('/interactions', request, headers);
  const { data: interaction } = (await create()).body;
  const browser = await openBrowser(baseUrl, workspace, id);
  let snapshot = await browser.start(interaction.id);
  for (const text of ['2', `I am ${name}`, 'yes', `${name}@example.com`])
    snapshot = await browser.say(interaction.id, snapshot, { text });
  return {
    id,
    interaction,
    browser,
    path: `/customers/${id}`,
    createAgain: create,
    traces: async () => findWords(await everythingStored(inject('local')), [name]),
  };
}

/** A webhook whose receiver answers with what it has received. */
async function echoing() {
  const receiver = await startReceiver(({ body }) => ({ status: 200, body: body.toString() }));
  await workspace.api.post('/webhooks', {
    url: receiver.url,
    secretToken: 'echo',
    isActive: true,
    events: ['InteractionCreated', 'InteractionCompleted'],
  });
  return receiver;
}

const openLink = ({ link }: Interaction): Promise<Response> =>
  fetch(`${baseUrl}/public/v1/link-sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.lastIndexOf('/') + 1) }),
  });

test('an interaction that is deleted leaves nothing in any store, and its link and sessions end', async () => {
  await using receiver = await echoing();
  const person = await newPerson();
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  const named = await workspace.api.post<Interaction>('/interactions', {
    customerId: person.id,
    botId,
    status: 'Pending',
    context: [{ key: 'productName', value: 'Grandmother clock' }],
  });
  const { id } = named.body.data;
  await eventually(() => expect(receiver.requests).toHaveLength(3));
  const traces = async () => findWords(await everythingStored(inject('local')), ['Grandmother clock']);
  expect(await traces()).not.toEqual([]);

  expect((await workspace.api.delete(`/interactions/${id}`)).body).toMatchObject({ code: 200, data: null });

  await eventually(async () => expect(await traces()).toEqual([]));
  expect((await workspace.api.delete(`/interactions/${id}`)).status).toBe(404);
  expect((await workspace.api.get(`/interactions/${id}`)).status).toBe(404);
  expect((await openLink(named.body.data)).status).toBe(404);
  expect((await workspace.api.get(`/interactions/${person.interaction.id}`)).status).toBe(200);
});

test('a customer that is deleted leaves nothing in any store, and comes back by no retry', async () => {
  await using receiver = await echoing();
  const person = await newPerson();
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  expect(await person.traces()).not.toEqual([]);

  expect((await workspace.api.delete(person.path)).body).toMatchObject({ code: 200, data: null });

  expect(await person.traces()).toEqual([]);
  const gone = [
    workspace.api.delete(person.path),
    workspace.api.get(person.path),
    workspace.api.get(`/interactions/${person.interaction.id}`),
    person.createAgain(),
    workspace.api.post(
      '/customers',
      { id: person.id, firstName: 'x' },
      { 'idempotency-key': `customer ${person.id}` },
    ),
  ];
  expect((await Promise.all(gone)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await openLink(person.interaction)).status).toBe(404);
  const { body } = await workspace.api.get<{ kind: string; stores: { removed: number }[] }[]>('/erasures');
  expect(body.data).toMatchObject([
    { kind: 'deletion', customerId: person.id, stores: [{ removed: 1 }, { removed: 1 }, { removed: 2 }] },
  ]);

  // The id can be used again, with nothing of the deleted customer.
  expect((await workspace.api.post('/customers', { id: person.id, firstName: 'Later' })).status).toBe(200);
  const again = await workspace.api.get(person.path);
  expect(again.body.data).toMatchObject({ firstName: 'Later', interactions: [] });
  const later = await workspace.api.post<Interaction>('/interactions', { customerId: person.id, botId });
  expect(later.status).toBe(200);
  expect((await workspace.api.delete(person.path)).status).toBe(200);
});

test('If-Match protects both from deletions of something that has changed', async () => {
  const person = await newPerson();
  for (const path of [`/interactions/${person.interaction.id}`, person.path]) {
    const { headers } = await workspace.api.get(path);
    expect((await workspace.api.delete(path, { 'if-match': '"0-x"' })).status).toBe(412);
    const { status } = await workspace.api.delete(path, { 'if-match': headers.get('etag') ?? '' });
    expect(status).toBe(200);
  }
});

test('a retention deletes what nobody has changed for so long, and its preview counts it', async () => {
  const { body } = await workspace.api.get('/retention');
  expect(body.data).toEqual({ completedDays: null, endedDays: null, draftDays: null });
  const statuses = ['Completed', 'Expired', 'InProgress', 'Draft', 'Pending'];
  const make = async (status: string) =>
    (await workspace.api.post<Interaction>('/interactions', { customerId: 'c', botId, status })).body.data.id;
  const [, expired, running] = await Promise.all(statuses.map(make));
  const recent = await make('Completed');
  await using connection = await openSqlConnection(postgresUrl);
  // For the triggers that count rows.
  await connection.query('set search_path = interaction');
  await connection.query(
    `update interaction.interaction set updated_at = now() - interval '40 days'
     where workspace_id = $1 and id <> $2`,
    [workspace.id, recent],
  );

  const change = { completedDays: 30, draftDays: 30 };
  expect((await workspace.api.post('/retention/preview', change)).body.data).toEqual({
    interactions: 3,
    completed: 1,
    ended: 0,
    draft: 2,
  });
  for (const days of [0, 3_651, 1.5])
    expect((await workspace.api.patch('/retention', { endedDays: days })).status).toBe(400);
  expect((await workspace.api.patch('/retention', change)).body.data).toEqual({ ...change, endedDays: null });
  const left = async () => {
    const list = await workspace.api.get<{ id: string }[]>('/interactions?pageSize=50');
    return new Set(list.body.data.map(({ id }) => id));
  };
  await eventually(async () => expect(await left()).toEqual(new Set([recent, expired, running])));
});
