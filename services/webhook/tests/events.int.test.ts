import { randomUUID } from 'node:crypto';
import { eventExamples } from '@parley/contracts/event-examples';
import { type EventName, eventNames } from '@parley/contracts/event-names';
import {
  customerAnonymised,
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionStalled,
  interactionStarted,
  webhookDeactivated,
} from '@parley/contracts/events';
import type { UpdateWebhookOptionsRequest } from '@parley/contracts/webhook/v1/delivery';
import { newEvent } from '@parley/events/log';
import { eventually } from '@parley/testing/eventually';
import { type Answer, type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type System, startSystem } from './system.ts';

// What webhooks choose, and what they get of it.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

interface Received {
  event: string;
  id: string;
  body: { test?: true; id?: string; type?: string; timestamp?: string; data?: Record<string, unknown> };
}

const readOf = ({ headers, body }: ReceivedRequest): Received => ({
  event: String(headers['x-parley-event']),
  id: String(headers['webhook-id']),
  body: JSON.parse(body.toString()) as Received['body'],
});

type Change = Partial<Omit<UpdateWebhookOptionsRequest, 'workspaceId' | 'id'>>;

/** A webhook of a workspace, by default a new one, with its receiver. */
async function subscription(
  of: { workspaceId?: string; events?: EventName[]; isActive?: boolean } = {},
  respond?: (request: ReceivedRequest) => Answer,
) {
  const receiver = await startReceiver(respond);
  const { workspaceId = randomUUID(), ...choice } = of;
  const webhook = await system.createWebhook({ workspaceId, url: receiver.url, ...choice });
  const { id } = webhook;
  return {
    workspaceId,
    webhook,
    received: () => receiver.requests.map(readOf),
    change: (change: Change) =>
      system.deliveries.updateWebhookOptions(
        { workspaceId, id, headers: null, rateLimit: null, events: [], filter: null, ...change },
        call,
      ),
    stats: () => system.deliveries.getStats({ workspaceId, webhookId: id }, call),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

const history = { customer_id: 'c-1', interaction_id: 'i', evaluation: { score: '9' }, transcript: [] };

/** An interaction about which the interaction service answers, and its events. */
function interactionOf(workspaceId: string, evaluation: Record<string, string> = {}, tier = 'gold') {
  const interactionId = randomUUID();
  const about = { workspaceId, interactionId, customerId: 'c-1' };
  const context = [{ key: 'tier', value: tier }];
  system.interactions.bodies.set(interactionId, {
    body: Buffer.from(JSON.stringify(history)),
    customerVersion: 0,
    interaction: { ...eventExamples.InteractionCreated, id: interactionId, context },
    evaluation,
  });
  return {
    id: interactionId,
    resource: { ...eventExamples.InteractionCreated, id: interactionId, context },
    created: () => newEvent(interactionCreated, { ...about, status: 'Pending' }),
    started: () => newEvent(interactionStarted, about),
    stalled: () => newEvent(interactionStalled, { ...about, lastStepId: 'why' }),
    completed: () => newEvent(interactionCompleted, { ...about, completedAt: new Date(), botId: '' }),
    expired: () => newEvent(interactionExpired, { ...about, reason: 'clock' }),
  };
}

const anonymised = (workspaceId: string) => newEvent(customerAnonymised, { workspaceId, customerId: 'c-1' });

test('a webhook gets the events that it names, each with an id of its own and the body of its kind', async () => {
  await using hook = await subscription({ events: [...eventNames].toReversed() });
  await using byDefault = await subscription({ workspaceId: hook.workspaceId });
  await using foreign = await subscription({ events: [...eventNames] });
  expect(hook.webhook.event).toBe(eventNames.join(','));
  expect(byDefault.webhook.event).toBe('InteractionCompleted');
  const one = interactionOf(hook.workspaceId);
  const events = {
    InteractionCreated: one.created(),
    InteractionStarted: one.started(),
    InteractionStalled: one.stalled(),
    InteractionCompleted: one.completed(),
    InteractionExpired: one.expired(),
    CustomerAnonymised: anonymised(hook.workspaceId),
  };
  const raisedAt = new Date();
  await system.raiseAny(Object.values(events).map((event) => ({ ...event, raisedAt })));
  await eventually(() => expect(hook.received()).toHaveLength(6));
  const extras: Partial<Record<EventName, object>> = {
    InteractionStalled: { lastStepId: 'why' },
    InteractionExpired: { reason: 'clock' },
  };
  const got = new Map(hook.received().map((received) => [received.event, received]));
  for (const [name, { id }] of Object.entries(events)) {
    const isAboutCustomer = name === 'CustomerAnonymised';
    const data = isAboutCustomer ? { id: 'c-1' } : { ...one.resource, ...extras[name as EventName] };
    const enveloped = { id, type: name, timestamp: raisedAt.toISOString(), data };
    const body = name === 'InteractionCompleted' ? history : enveloped;
    expect(got.get(name)).toEqual({ event: name, id, body });
  }
  await eventually(() => expect(byDefault.received()).toEqual([got.get('InteractionCompleted')]));
  expect(foreign.received()).toEqual([]);
});

test('with an envelope, a completion has the interaction and its history as result', async () => {
  await using hook = await subscription();
  await hook.change({ isEnveloped: true });
  const one = interactionOf(hook.workspaceId);
  await system.raiseAny([one.completed()]);
  await eventually(() => expect(hook.received()).toHaveLength(1));
  const [{ id, body } = { id: '', body: {} }] = hook.received();
  expect(body).toEqual({
    id,
    type: 'InteractionCompleted',
    timestamp: expect.stringMatching(/Z$/),
    data: { ...one.resource, result: history },
  });
});

test('a filter sees the event, the interaction and the evaluation; what it keeps back is counted', async () => {
  await using hook = await subscription({ events: ['InteractionStarted', 'InteractionCompleted'] });
  const filter =
    "event.type == 'InteractionStarted' ? interaction.context.tier == 'gold' : int(evaluation.score) < 7";
  await hook.change({ filter: { filter } });
  const of = (evaluation: Record<string, string>, tier: string) =>
    interactionOf(hook.workspaceId, evaluation, tier);
  const sent = [of({}, 'gold').started(), of({ score: '6' }, 'silver').completed()];
  const filtered = [of({}, 'silver').started(), of({ score: '7' }, 'gold').completed()];
  const failing = [of({}, 'gold').completed(), of({ score: 'Ada Lovelace' }, 'gold').completed()];
  const events = [...filtered, ...failing, ...sent].map((event, at) => ({
    ...event,
    raisedAt: new Date(Date.now() + at),
  }));
  await system.raiseAny(events);
  await eventually(() => expect(hook.received()).toHaveLength(2));
  await system.taken(events);
  expect(new Set(hook.received().map(({ id }) => id))).toEqual(new Set(sent.map(({ id }) => id)));
  // The text has no answer of the customer: no anonymisation removes it.
  expect(await hook.stats()).toMatchObject({
    filtered: 2,
    filterErrors: 2,
    lastFilterError: 'not a whole number',
  });
  const nobody = { workspaceId: randomUUID(), webhookId: hook.webhook.id };
  await expect(system.deliveries.getStats(nobody, call)).rejects.toMatchObject({ code: 'not_found' });
});

test('a filter sees empty texts of an event that is about no interaction', async () => {
  await using hook = await subscription({ events: ['CustomerAnonymised', 'WebhookDeactivated'] });
  await hook.change({ filter: { filter: "interaction.id == '' && !has(interaction.context.tier)" } });
  const { workspaceId } = hook;
  const other = await system.createWebhook({ workspaceId, url: 'http://127.0.0.1:9/' });
  const deactivated = newEvent(webhookDeactivated, { workspaceId, webhookId: other.id, reason: 'auto' });
  await system.raiseAny([anonymised(workspaceId), deactivated]);
  await eventually(() => expect(hook.received()).toHaveLength(2));
  const got = new Map(hook.received().map(({ event, body }) => [event, body.data]));
  const shown = { id: other.id, url: other.url, isActive: false, event: other.event, reason: 'auto' };
  expect(got).toEqual(
    new Map<string, object>([
      ['CustomerAnonymised', { id: 'c-1' }],
      ['WebhookDeactivated', shown],
    ]),
  );
});

test('a filter counts no events for which its webhook does not listen', async () => {
  await using hook = await subscription({ isActive: false });
  await using control = await subscription({ workspaceId: hook.workspaceId });
  await hook.change({ filter: { filter: 'false' } });
  await system.raiseAny([interactionOf(hook.workspaceId).completed()]);
  await eventually(() => expect(control.received()).toHaveLength(1));
  expect(await hook.stats()).toMatchObject({ filtered: 0, filterErrors: 0, lastFilterError: null });
});

test('a change of events, filter and envelope applies to events that are raised later, whenever they arrive', async () => {
  await using hook = await subscription({ events: ['InteractionStarted'] });
  const { workspaceId } = hook;
  const before = new Date();
  await eventually(() => expect(Date.now()).toBeGreaterThan(before.getTime() + 1));
  const { events, filter } = await hook.change({
    events: ['InteractionCompleted', 'InteractionCreated'],
    filter: { filter: "interaction.context.tier == 'gold'" },
    isEnveloped: true,
  });
  expect([events, filter]).toEqual([
    ['InteractionCreated', 'InteractionCompleted'],
    "interaction.context.tier == 'gold'",
  ]);
  const { webhook } = hook;
  const shown = await system.client.getWebhook({ workspaceId, id: webhook.id }, call);
  expect(shown.event).toBe('InteractionCreated,InteractionCompleted');
  const [gold, silver] = [interactionOf(workspaceId), interactionOf(workspaceId, {}, 'silver')];
  const late = { raisedAt: before };
  const events1 = [silver.started(), gold.created(), gold.completed()].map((one) => ({ ...one, ...late }));
  const events2 = [gold.started(), silver.created(), silver.completed(), gold.completed()];
  await system.raiseAny([...events2, ...events1]);
  // The others are not wanted.
  await system.taken([...events1.slice(0, 1), ...events2.slice(1)]);
  await eventually(() => expect(hook.received()).toHaveLength(2));
  expect(new Map(hook.received().map(({ id, body }) => [id, body.type]))).toEqual(
    new Map([
      [events1[0]?.id, 'InteractionStarted'],
      [events2[3]?.id, 'InteractionCompleted'],
    ]),
  );
});

test('an event keeps its body in every attempt, however often the envelope changes', async () => {
  let status = 500;
  await using hook = await subscription({}, () => ({ status }));
  const { workspaceId, webhook } = hook;
  await hook.change({ isEnveloped: true });
  await system.raiseAny([interactionOf(workspaceId).completed()]);
  await eventually(() => expect(hook.received()).not.toEqual([]));
  await hook.change({ isEnveloped: false });
  // As after more changes than are kept.
  await system.db
    .deleteFrom('subscription')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhook.id)
    .where('isEnveloped', '=', true)
    .execute();
  status = 200;
  await eventually(async () => expect((await hook.stats()).pending).toBe(0));
  const before = hook.received().length;
  const of = { workspaceId, webhookId: webhook.id };
  const { deliveries } = await system.deliveries.listDeliveries(
    { ...of, cursor: '', limit: 1, states: [], since: null, until: null },
    call,
  );
  await system.deliveries.retryDelivery({ ...of, id: deliveries[0]?.id ?? '' }, call);
  await eventually(() => expect(hook.received().length).toBeGreaterThan(before));
  expect(hook.received().map(({ body }) => body.type)).not.toContain(undefined);
});

test('a receiver that answers 410 is deactivated, and the other webhooks get WebhookDeactivated', async () => {
  const events: EventName[] = ['InteractionCompleted', 'WebhookDeactivated'];
  await using gone = await subscription({ events }, () => ({ status: 410 }));
  await using other = await subscription({ workspaceId: gone.workspaceId, events: ['WebhookDeactivated'] });
  await using foreign = await subscription({ events });
  await system.raiseAny([interactionOf(gone.workspaceId).completed()]);
  await eventually(() => expect(other.received()).toHaveLength(1));
  const { id, url, event } = gone.webhook;
  expect(other.received()[0]?.body).toMatchObject({
    type: 'WebhookDeactivated',
    data: { id, url, event, isActive: false, reason: 'gone' },
  });
  expect([gone.received().map((one) => one.event), foreign.received()]).toEqual([
    ['InteractionCompleted'],
    [],
  ]);
});

test('an anonymisation replaces the bodies of all events of an interaction', async () => {
  await using hook = await subscription({ events: [...eventNames] });
  const { workspaceId } = hook;
  const one = interactionOf(workspaceId, {}, 'Ada Lovelace');
  const events = [one.created(), one.started(), one.stalled(), one.completed(), one.expired()];
  await system.raiseAny(events);
  await eventually(() => expect(hook.received()).toHaveLength(events.length));
  const body = Buffer.from(JSON.stringify({ ...history, evaluation: { score: '[removed]' } }));
  const interaction = { ...one.resource, context: [{ key: 'tier', value: '[removed]' }] };
  system.interactions.bodies.set(one.id, { body, customerVersion: 2, interaction });
  const erased = { workspaceId, customerId: 'c-1', interactionIds: [one.id], customerVersion: 2 };
  expect(await system.client.redactEvents(erased, call)).toEqual({ eventsRemoved: events.length });
  const stored = await system.db
    .selectFrom('event')
    .where('workspaceId', '=', workspaceId)
    .select(['data', 'result', 'redactedVersion'])
    .execute();
  expect(stored).toHaveLength(events.length);
  for (const { data, result, redactedVersion } of stored) {
    expect(JSON.parse(data.toString())).toEqual(interaction);
    expect([result?.toString() ?? body.toString(), redactedVersion]).toEqual([body.toString(), 2]);
  }
});

test('a test event with a name has the example of that event as data', async () => {
  await using hook = await subscription();
  const { workspaceId, webhook } = hook;
  const test = (event: string | null) =>
    system.deliveries.sendTestEvent({ workspaceId, webhookId: webhook.id, idempotency: null, event }, call);
  for (const name of eventNames) {
    const { delivery } = await test(name);
    expect(delivery).toMatchObject({ event: name, isTest: true, interactionId: null });
  }
  await eventually(() => expect(hook.received()).toHaveLength(eventNames.length));
  for (const { event, id, body } of hook.received()) {
    const example = eventExamples[event as EventName];
    expect(body.test).toBe(true);
    const { test: _, ...history } = body;
    if (event === 'InteractionCompleted') expect(example).toMatchObject({ result: history });
    else expect([body.id, body.type, body.data]).toEqual([id, event, example]);
  }
  await expect(test('InteractionRemoved')).rejects.toMatchObject({ code: 'invalid_argument' });
});
