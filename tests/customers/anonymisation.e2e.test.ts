import { noDetails, perDetail } from '@parley/contracts/customer-details';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { findWords } from '@parley/testing/find-words';
import { startReceiver } from '@parley/testing/peers/receiver';
import { everythingStored } from '@parley/testing/database/stores';
import { beforeEach, expect, inject, test } from 'vitest';
import type { Interaction } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith, messageId, openBrowser } from '../conversations/conversation.ts';

// Seed: anonymise. Contract, section 3: it reaches every copy.

interface Customer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  interactions: Interaction[];
}

interface Content {
  evaluation: Record<string, string>;
  transcript: { body: string; timestamp: number; type: string }[];
}

const { baseUrl } = inject('local');
const person = {
  ...perDetail((name) => `Zdislava.${name}@example.com`),
  firstName: 'Zdislava',
  lastName: 'Quokkowska',
};
const traces = /zdislava|quokkowska/i;
const pathOf = (id: string): string => `/customers/${id}`;

let workspace: TestWorkspace;
let botId: string;

beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
  await workspace.api.post('/customers', { id: 'p', ...person });
});

const create = async (body: object = {}) =>
  (await workspace.api.post<Interaction>('/interactions', { customerId: 'p', botId, ...body })).body.data;
const read = async (id: string) => (await workspace.api.get<Interaction>(`/interactions/${id}`)).body.data;
const anonymise = () => workspace.api.post(`${pathOf('p')}/anonymise`);
const tokenOf = ({ link }: Interaction): string => link.slice(link.lastIndexOf('/') + 1);

/** A conversation to its end in which the customer names herself in every answer. */
async function completeConversation(): Promise<string> {
  const { id } = await create({
    status: 'Pending',
    context: [{ key: 'productName', value: `the shop of ${person.firstName}` }],
  });
  const browser = await openBrowser(baseUrl, workspace, 'p');
  let snapshot = await browser.start(id);
  for (const text of ['2', `I am ${person.firstName} ${person.lastName}`, 'yes', person.email]) {
    snapshot = await browser.say(id, snapshot, { text });
  }
  expect(snapshot.status).toBe('Completed');
  return id;
}

test('the row, its lists and its interactions have no personal data; the history keeps its structure', async () => {
  const completed = await completeConversation();
  const running = await create({ status: 'InProgress' });
  const waiting = await create({ status: 'Pending', expiry: 1000 });
  const draft = await create();
  const expired = await create({ status: 'Expired' });
  const before = await read(completed);

  const { status, body } = await anonymise();
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    code: 200,
    detail: 'Request completed successfully',
    data: null,
    meta: null,
  });

  const views = await Promise.all([
    workspace.api.get<Customer>(pathOf('p')),
    workspace.api.get('/customers'),
    workspace.api.get('/interactions'),
    ...[completed, running.id, waiting.id, draft.id, expired.id].map((id) =>
      workspace.api.get(`/interactions/${id}`),
    ),
  ]);
  for (const view of views) {
    expect(view.status).toBe(200);
    expect(JSON.stringify(view.body)).not.toMatch(traces);
  }
  const [customer] = views;
  expect(customer?.body.data).toMatchObject({ id: 'p', ...noDetails });

  const after = await read(completed);
  const [was, is] = [before, after].map(({ data }) => JSON.parse(data ?? '') as Content);
  expect(after).toMatchObject({
    status: 'Completed',
    createdAt: before.createdAt,
    priority: before.priority,
  });
  expect(is?.transcript.map(({ type, timestamp }) => [type, timestamp])).toEqual(
    was?.transcript.map(({ type, timestamp }) => [type, timestamp]),
  );
  expect(is?.evaluation).toEqual({ ...was?.evaluation, reason: '[removed]', contact_email: '[removed]' });
  expect(is?.evaluation).toMatchObject({ nps_score: '2', nps_segment: 'detractor', contact_ok: 'yes' });
  expect(is?.transcript[0]?.body).toContain('[removed]');

  const states = [running.id, waiting.id, draft.id, expired.id].map(async (id) => (await read(id)).status);
  expect(await Promise.all(states)).toEqual(['Expired', 'Expired', 'Expired', 'Expired']);
});

test('earlier links and sessions are invalid', async () => {
  const { id, link } = await create({ status: 'Pending' });
  const token = tokenOf({ link } as Interaction);
  const openLink = (one: string) =>
    fetch(`${baseUrl}/public/v1/link-sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: one }),
    });
  const opened = (await (await openLink(token)).json()) as { data: { sessionToken: string } };
  const byLink = browserWith(baseUrl, workspace.id, opened.data.sessionToken);
  const bySession = await openBrowser(baseUrl, workspace, 'p');
  const snapshot = await bySession.start(id);

  expect((await anonymise()).status).toBe(200);

  expect((await openLink(token)).status).toBe(404);
  expect((await fetch(link)).status).toBe(404);
  for (const browser of [byLink, bySession]) {
    const message = {
      clientMessageId: messageId(),
      expectedSeq: snapshot.seq,
      stepId: snapshot.input?.stepId,
      answer: { value: 3 },
    };
    const answers = await Promise.all([
      browser.api.get(`/conversations/${id}`),
      browser.api.post(`/conversations/${id}/start`),
      browser.api.post(`/conversations/${id}/messages`, message),
    ]);
    for (const { status, body } of answers) {
      expect([401, 404, 410]).toContain(status);
      expect(JSON.stringify(body)).not.toMatch(traces);
    }
    const pending = await browser.api.get('/pending');
    if (pending.status === 200) expect(pending.body.data).toBeNull();
    else expect(pending.status).toBe(401);
  }
});

test('an earlier session cannot see later interactions, a later one can', async () => {
  const before = await openBrowser(baseUrl, workspace, 'p');
  expect((await anonymise()).status).toBe(200);
  const { id } = await create({ status: 'Pending' });
  expect((await before.api.get('/pending')).body.data).toBeNull();
  expect((await before.look(id)).status).toBe(404);
  expect((await before.api.post(`/conversations/${id}/start`)).status).toBe(404);
  const after = await openBrowser(baseUrl, workspace, 'p');
  expect((await after.api.get('/pending')).body.data).toMatchObject({ interactionId: id });
  expect((await after.start(id)).status).toBe('InProgress');
});

test('a webhook that was unreachable before gets the history without personal data', async () => {
  let works = false;
  await using receiver = await startReceiver(() => ({ status: works ? 200 : 500 }));
  const { webhooks } = workspace.client;
  const hook = await webhooks.create({ url: receiver.url, secretToken: 'late', isActive: true });
  const id = await completeConversation();
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0));
  expect((await anonymise()).status).toBe(200);
  // One may have been in flight: an event sent after it was read afterwards.
  await eventually(async () => {
    expect((await webhooks.deliveries.list(hook.id)).data).toMatchObject([{ isUnderWay: false }]);
  });
  const behind = receiver.requests.length;
  works = true;
  const last = await eventually(() => {
    expect(receiver.requests.length).toBeGreaterThan(behind);
    return receiver.requests.at(-1);
  });
  expect(last?.body.toString()).not.toMatch(traces);
  expect(last?.body.toString()).toBe((await read(id)).data);
});

test('the stored answers to Idempotency-Keys have no personal data', async () => {
  const keyed = { id: 'q', ...person };
  const made = await workspace.api.post<Customer>('/customers', keyed, { 'idempotency-key': 'make-q' });
  expect(made.body.data.firstName).toBe(person.firstName);
  const interaction = {
    customerId: 'q',
    botId,
    status: 'InProgress',
    context: [{ key: 'productName', value: person.lastName }],
  };
  const started = await workspace.api.post<Interaction>('/interactions', interaction, {
    'idempotency-key': 'conversation-q',
  });
  expect(JSON.stringify(started.body)).toMatch(traces);
  await workspace.api.post('/customers/q/anonymise');
  const replays = await Promise.all([
    workspace.api.post('/customers', keyed, { 'idempotency-key': 'make-q' }),
    workspace.api.post('/interactions', interaction, { 'idempotency-key': 'conversation-q' }),
  ]);
  for (const { status, body } of replays) {
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body)).not.toMatch(traces);
  }
});

test('no row and no message of any store has data of the person', async () => {
  const local = inject('local');
  const own = { firstName: 'Xaverine', lastName: 'Brzdychova', email: 'x.brzd.77@example.com' };
  const found = async () => findWords(await everythingStored(local), Object.values(own));
  // One receiver returns the received body, which the log of attempts stores; the other one is unreachable.
  await using echo = await startReceiver(({ body }, index) => ({
    status: index === 0 ? 200 : 500,
    body: body.toString(),
  }));
  await workspace.api.post('/webhooks', { url: echo.url, secretToken: 'echo', isActive: true });
  await workspace.api.post('/webhooks', {
    url: 'http://127.0.0.1:9/',
    secretToken: 'closed',
    isActive: true,
  });
  await workspace.api.post('/webhooks', { url: echo.url, secretToken: 'off', isActive: false });
  await workspace.api.post('/customers', { id: 'x', ...own }, { 'idempotency-key': 'store-x' });
  await workspace.api.patch('/customers/x', { firstName: own.firstName });
  const context = [{ key: 'productName', value: `${own.lastName}'s shop` }];
  const interaction = { customerId: 'x', botId, context };
  const browser = await openBrowser(baseUrl, workspace, 'x');
  for (const status of ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired']) {
    await workspace.api.post(
      '/interactions',
      { ...interaction, status },
      { 'idempotency-key': `store-x-${status}` },
    );
  }
  for (let round = 0; round < 3; round += 1) {
    const { id } = await create({ ...interaction, status: 'Pending' });
    let snapshot = await browser.start(id);
    for (const text of ['2', `${own.firstName} wrote this`, 'yes', own.email]) {
      snapshot = await browser.say(id, snapshot, { text });
    }
    if (round === 0) await eventually(() => expect(echo.requests.length).toBeGreaterThan(0));
  }
  expect((await found()).length).toBeGreaterThan(5);
  expect((await workspace.api.post('/customers/x/anonymise')).status).toBe(200);
  expect(await found()).toEqual([]);
  // Nothing returns with data in flight: deliveries, events, and calls of others.
  await eventually(() => expect(echo.requests.length).toBeGreaterThan(6));
  expect(await found()).toEqual([]);
});

test('is idempotent, also concurrently; the customer can be used again', async () => {
  const id = await completeConversation();
  const answers = await Promise.all(Array.from({ length: 5 }, anonymise));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const first = (await read(id)).data;
  expect((await anonymise()).status).toBe(200);
  expect((await read(id)).data).toBe(first);

  const reused = { firstName: 'New', lastName: 'Person', email: 'new@example.com' };
  const { body } = await workspace.api.patch<Customer>(pathOf('p'), reused);
  expect(body.data).toMatchObject({ id: 'p', ...reused });
  expect((await read(id)).data).toBe(first);
  const next = await create({ status: 'Pending' });
  const browser = await openBrowser(baseUrl, workspace, 'p');
  const snapshot = await browser.start(next.id);
  expect(snapshot.entries[0]?.body).toContain('New');
});

test('succeeds while others change the customer, whose last details stay', async () => {
  await workspace.api.post('/customers', { id: 'busy' });
  const change = (index: number) => workspace.api.patch(pathOf('busy'), { firstName: `Name ${index}` });
  const anonymiseBusy = () => workspace.api.post(`${pathOf('busy')}/anonymise`);
  const calls = Array.from({ length: 5 }, (_, index) => [change(index), anonymiseBusy()]).flat();
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  await change(5);
  const { body } = await workspace.api.get<Customer>(pathOf('busy'));
  expect(body.data.firstName).toBe('Name 5');
});

test('of a customer without details succeeds, also concurrently', async () => {
  await workspace.api.post('/customers', { id: 'bare' });
  await create({ customerId: 'bare', status: 'InProgress' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => workspace.api.post('/customers/bare/anonymise')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('of one customer does not change others with the same name', async () => {
  await workspace.api.post('/customers', { id: 'twin', ...person });
  const { id } = await create({ customerId: 'twin', status: 'InProgress' });
  expect((await anonymise()).status).toBe(200);
  const { body } = await workspace.api.get<Customer>(pathOf('twin'));
  expect(body.data).toMatchObject(person);
  expect(await read(id)).toMatchObject({ status: 'InProgress' });
  expect((await read(id)).data).toMatch(traces);
});

test('covers more interactions than a page', async () => {
  const made = await Promise.all(Array.from({ length: 60 }, () => create({ status: 'InProgress' })));
  expect((await anonymise()).status).toBe(200);
  const { body } = await workspace.api.get<Customer>(pathOf('p'));
  expect(body.data.interactions).toHaveLength(made.length);
  expect(new Set(body.data.interactions.map(({ status }) => status))).toEqual(new Set(['Expired']));
  expect(JSON.stringify(body)).not.toMatch(traces);
});
