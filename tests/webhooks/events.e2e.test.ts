import type { EventName, EventType, WorkspaceClient } from '@parley/client';
import { eventNames } from '@parley/contracts/event-names';
import { verifyWebhook, type WebhookEvent } from '@parley/client/webhook';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { faultsBy } from '@parley/testing/setup/json-schema';
import { type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { beforeEach, expect, inject, test } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 2, section 9: the events of a whole system, as its clients receive them.

const { baseUrl, postgresUrl } = inject('local');
const name = 'Zdislava';
const traces = /zdislava/i;

type Body = Record<string, unknown> & { data: Record<string, unknown> };

let workspace: TestWorkspace;
let interactions: WorkspaceClient['interactions'];
let webhooks: WorkspaceClient['webhooks'];
let botId: string;

beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  ({ interactions, webhooks } = workspace.client);
  botId = await workspace.publish(npsBot);
  await workspace.client.customers.create({ id: 'ada', firstName: name });
});

const create = (body: object = {}, productName = `the shop of ${name}`) =>
  interactions.create({
    customerId: 'ada',
    botId,
    context: [{ key: 'productName', value: productName }],
    ...body,
  });

let tokens = 0;

/** A receiver whose webhook is active, with the signing secret. */
async function subscription(choice: object = {}, to = workspace, status = 200) {
  const receiver = await startReceiver(() => ({ status }));
  const { webhooks } = to.client;
  const body = { url: receiver.url, secretToken: `token ${(tokens += 1)}`, isActive: true, ...choice };
  const webhook = await webhooks.create(body);
  const { signingSecret } = await webhooks.rotateSigningSecret(webhook.id);
  return {
    ...receiver,
    webhook,
    /** The events of this name, verified. */
    got: async (event: string): Promise<WebhookEvent[]> =>
      Promise.all(
        receiver.requests
          .filter(({ headers }) => headers['x-parley-event'] === event)
          .map((request) => verifyWebhook(request, signingSecret)),
      ),
  };
}

const bodyOf = ({ body }: ReceivedRequest): Body => JSON.parse(body.toString()) as Body;
const nameOf = ({ headers }: ReceivedRequest): string => String(headers['x-parley-event']);

/** Holds a conversation to its end. Returns the id of the interaction. */
async function converse(productName?: string): Promise<string> {
  const { id } = await create({ status: 'Pending' }, productName);
  const browser = await openBrowser(baseUrl, workspace, 'ada');
  let snapshot = await browser.start(id);
  for (const text of ['2', `I am ${name}`, 'yes', `${name}@example.com`])
    snapshot = await browser.say(id, snapshot, { text });
  expect(snapshot.status).toBe('Completed');
  return id;
}

/** Makes a conversation as old as its bot allows. */
async function letStall(id: string): Promise<void> {
  await using connection = await openSqlConnection(postgresUrl);
  await connection.query('set search_path = interaction');
  await connection.query(`update interaction set stalls_at = now() where id = $1`, [id]);
}

/** Returns a function for the faults of a body, by the schema of its event. */
function schemasOf(types: readonly EventType[]) {
  const schemas = new Map(types.map((type) => [type.name as string, faultsBy(type.schema)]));
  return (event: string, body: unknown): unknown => schemas.get(event)?.(body);
}

/** Causes each event. Returns the ids of the interactions. */
async function causeAll() {
  const completed = await converse();
  const { id: stalled } = await create({ status: 'InProgress' });
  await letStall(stalled);
  const { id: closed } = await create({ status: 'Draft' });
  await interactions.update(closed, { status: 'Expired' });
  const { id: overdue } = await create({ status: 'Pending', expiry: 1 });
  for (const status of ['Completed', 'Expired'] as const) await create({ status });
  return { completed, stalled, closed, overdue };
}

test('a webhook gets every event of its workspace, once, with the documented body', async () => {
  const { data: types } = await webhooks.listEventTypes();
  expect(types.map((type) => type.name)).toEqual(eventNames);
  const faultOf = schemasOf(types);
  for (const type of types) expect([type.name, faultOf(type.name, type.example)]).toEqual([type.name, null]);

  await using all = await subscription({ events: eventNames });
  await using byDefault = await subscription();
  await using gone = await subscription({ event: 'CustomerAnonymised' }, workspace, 410);
  const other = await createWorkspace(baseUrl, inject('operator'));
  await using foreign = await subscription({ events: eventNames }, other);
  expect([all.webhook.event, byDefault.webhook.event, gone.webhook.event]).toEqual([
    eventNames.join(','),
    'InteractionCompleted',
    'CustomerAnonymised',
  ]);

  const { completed, stalled, closed, overdue } = await causeAll();
  await eventually(() => expect(all.requests.map(nameOf)).toContain('InteractionStalled'));
  await eventually(() =>
    expect(all.requests.filter((one) => bodyOf(one).data?.['id'] === overdue)).toHaveLength(2),
  );
  await workspace.client.customers.anonymise('ada');
  await eventually(() => expect(all.requests).toHaveLength(13));

  const eventsOf = (id: string) => all.requests.filter((one) => bodyOf(one).data?.['id'] === id).map(nameOf);
  expect(eventsOf(completed).toSorted()).toEqual(['InteractionCreated', 'InteractionStarted']);
  expect(new Set(eventsOf(stalled))).toEqual(
    new Set(['InteractionCreated', 'InteractionStarted', 'InteractionStalled', 'InteractionExpired']),
  );
  expect(eventsOf(closed).toSorted()).toEqual(['InteractionCreated', 'InteractionExpired']);
  expect(new Set(all.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(13);
  for (const request of all.requests) {
    const event = nameOf(request);
    const body = bodyOf(request);
    expect([event, faultOf(event, body)]).toEqual([event, null]);
    if (event === 'InteractionCompleted') continue;
    const id = request.headers['webhook-id'];
    expect(body).toEqual({ id, type: event, timestamp: expect.stringMatching(/Z$/), data: body.data });
  }
  const reasons = (await all.got('InteractionExpired')).flatMap((event) =>
    event.type === 'InteractionExpired' ? [[event.data.id, event.data.status, event.data.reason]] : [],
  );
  expect(new Map(reasons.map(([id, ...rest]) => [id, rest]))).toEqual(
    new Map([
      [stalled, ['Expired', 'anonymised']],
      [closed, ['Expired', 'client']],
      [overdue, ['Expired', 'clock']],
    ]),
  );
  expect(await all.got('InteractionStalled')).toMatchObject([
    {
      data: {
        id: stalled,
        status: 'InProgress',
        lastStepId: 'score',
        botId,
        botKey: 'nps-follow-up',
        botVersion: 1,
      },
    },
  ]);
  expect(await all.got('CustomerAnonymised')).toMatchObject([{ data: { id: 'ada' } }]);
  expect((await all.got('WebhookDeactivated')).map(({ data }) => data)).toEqual([
    { ...gone.webhook, isActive: false, reason: 'gone' },
  ]);
  const [history] = await all.got('InteractionCompleted');
  expect(history?.type).toBe('InteractionHistory');
  expect(history?.data).toMatchObject({ customer_id: 'ada', interaction_id: completed });
  expect(byDefault.requests.map(({ body }) => bodyOf({ body } as ReceivedRequest))).toEqual([history?.data]);
  expect([gone.requests.map(nameOf), foreign.requests]).toEqual([['CustomerAnonymised'], []]);
  expect((await other.client.webhooks.deliveries.list(foreign.webhook.id)).data).toEqual([]);

  // A retry after the anonymisation has no details, for any event.
  const { data: log } = await webhooks.deliveries.list(all.webhook.id, { limit: 50 });
  const { length } = all.requests;
  for (const { id } of log) await webhooks.deliveries.retry(all.webhook.id, id);
  await eventually(() => expect(all.requests).toHaveLength(2 * length));
  for (const request of all.requests.slice(length)) {
    expect(request.body.toString()).not.toMatch(traces);
    expect([nameOf(request), faultOf(nameOf(request), bodyOf(request))]).toEqual([nameOf(request), null]);
  }
  const anonymised = await webhooks.deliveries.list(all.webhook.id, { event: 'CustomerAnonymised' });
  expect(anonymised.data).toMatchObject([
    { event: 'CustomerAnonymised', interactionId: null, isTest: false },
  ]);
  const started = await webhooks.deliveries.list(all.webhook.id, {
    event: 'InteractionStarted',
    interactionId: stalled,
  });
  expect(started.data).toMatchObject([{ event: 'InteractionStarted', interactionId: stalled }]);
});

test('options choose events, filter and envelope, for events that are raised after the answer', async () => {
  await using hook = await subscription();
  const { id } = hook.webhook;
  const filter = "interaction.context.productName == 'Tea' && evaluation.nps_segment == 'detractor'";
  const change = { events: ['InteractionCompleted', 'InteractionExpired'] as const, filter, envelope: true };
  expect(
    await webhooks.updateOptions(id, { ...change, events: [...change.events].toReversed() }),
  ).toMatchObject(change);
  expect((await webhooks.get(id)).event).toBe('InteractionCompleted,InteractionExpired');

  const completed = await converse('Tea');
  await converse('Coffee');
  // Without a conversation, there is no evaluation.
  for (const product of ['Coffee', 'Tea']) {
    const { id } = await create({ status: 'Pending' }, product);
    await interactions.update(id, { status: 'Completed' });
  }
  await eventually(() => expect(hook.requests).toHaveLength(1));
  const stats = await eventually(async () => {
    const stats = await webhooks.getStats(id);
    expect([stats.filtered, stats.filterErrors]).toEqual([2, 1]);
    return stats;
  });
  expect(stats.lastFilterError).toMatch(/^No such key: nps_segment, at character \d+$/);
  const [event] = await hook.got('InteractionCompleted');
  if (event?.type !== 'InteractionCompleted') throw new Error('no completion with an envelope came');
  const resource = await interactions.get(completed);
  expect(event.data).toEqual({
    ...resource,
    data: null,
    botId,
    botKey: 'nps-follow-up',
    botVersion: 1,
    startedAt: expect.any(String),
    completedAt: expect.any(String),
    result: JSON.parse(resource.data ?? '') as unknown,
  });
  expect(event.data.result.evaluation['nps_segment']).toBe('detractor');

  const refused = webhooks.updateOptions(id, { filter: 'interaction.botKey = 1' });
  const errors = [{ pointer: '/filter', detail: expect.stringContaining('at character 20') as string }];
  await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid-request', errors });
  expect((await webhooks.getOptions(id)).filter).toBe(filter);
});

test('url and secretToken change with the options; a test event is the example of its event', async () => {
  await using first = await subscription();
  await using second = await startReceiver();
  const { id } = first.webhook;
  await webhooks.updateOptions(id, { url: second.url, secretToken: 'another one' });
  const { data: types } = await webhooks.listEventTypes();
  for (const { name: event } of types)
    expect(await webhooks.sendTest(id, { event: event as EventName })).toMatchObject({
      event,
      isTest: true,
      interactionId: null,
    });
  expect(await webhooks.sendTest(id)).toMatchObject({ event: 'Test', isTest: true });
  await eventually(() => expect(second.requests).toHaveLength(types.length + 1));
  expect(first.requests).toEqual([]);
  for (const { name: event, example } of types) {
    const request = second.requests.find((one) => nameOf(one) === event);
    expect(request?.url).toBe('/hook?secretToken=another%20one');
    expect(request?.headers['x-parley-test']).toBe('true');
    const { test: isTest, ...body }: Record<string, unknown> = request ? bodyOf(request) : {};
    expect(isTest).toBe(true);
    const data = event === 'InteractionCompleted' ? { result: body } : body['data'];
    expect(example['data']).toMatchObject(data ?? {});
  }
});

test('a webhook is created with its filter and the envelope, which test events obey too', async () => {
  await using receiver = await startReceiver();
  const wanted = { url: receiver.url, secretToken: 'a token', isActive: true, envelope: true };
  const refused = webhooks.create({ ...wanted, filter: 'interaction.botKey = 1' });
  const errors = [{ pointer: '/filter', detail: expect.stringContaining('at character 20') as string }];
  await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid-request', errors });

  const filter = "evaluation['nps_score'] == '9'";
  const { id } = await webhooks.create({ ...wanted, filter });
  expect(await webhooks.getOptions(id)).toMatchObject({ filter, envelope: true });
  const all = await webhooks.create({ ...wanted, secretToken: 'another', isActive: false, filter: null });
  expect((await webhooks.getOptions(all.id)).filter).toBeNull();
  const event = 'InteractionCreated';
  await expect(webhooks.sendTest(id, { event })).rejects.toMatchObject({
    status: 409,
    type: 'event-filtered',
  });
  await webhooks.sendTest(id, { event, ignoreFilter: true });
  await webhooks.sendTest(id);
  await eventually(() => expect(receiver.requests.map(nameOf).toSorted()).toEqual([event, 'Test']));
  for (const request of receiver.requests) {
    expect(request.headers['x-parley-test']).toBe('true');
    expect(bodyOf(request)).toMatchObject({ type: nameOf(request), test: true });
  }
});
