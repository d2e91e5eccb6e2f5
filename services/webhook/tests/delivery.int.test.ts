import { randomUUID } from 'node:crypto';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, completed, type System, startSystem } from './system.ts';

let system: System;
beforeAll(async () => {
  // One test waits for the time-out. For the others it is longer than any delay of a busy machine.
  system = await startSystem({ totalTimeoutMs: 10_000 });
});
afterAll(() => system[Symbol.asyncDispose]());

/** A workspace with one active webhook and its receiver. */
async function subscription(
  respond?: (request: ReceivedRequest, index: number) => ReceiverAnswer | Promise<ReceiverAnswer>,
) {
  const receiver = await startReceiver(respond);
  const workspaceId = randomUUID();
  const secretToken = `täuschend & geheim ${randomUUID()}`;
  const webhook = await system.createWebhook({ workspaceId, url: `${receiver.url}?keep=1`, secretToken });
  return { ...receiver, webhook, id: webhook.id, workspaceId, secretToken };
}

const deliveriesOf = (webhookId: string) =>
  system.db
    .selectFrom('delivery')
    .where('webhookId', '=', webhookId)
    .orderBy('createdAt')
    .select(['state', 'attempts'])
    .execute();

const attemptsOf = (webhookId: string) =>
  system.db
    .selectFrom('everyAttempt')
    .innerJoin('delivery', 'delivery.id', 'everyAttempt.deliveryId')
    .where('delivery.webhookId', '=', webhookId)
    .orderBy('number')
    .select(['number', 'status', 'error', 'responseExcerpt'])
    .execute();

/** Waits until all deliveries of a webhook are in this state. */
const settled = (webhookId: string, state: string, attempts: number) =>
  eventually(async () => {
    expect(await deliveriesOf(webhookId)).toEqual([{ state, attempts }]);
  });

test('many large concurrent events are fetched in parts, and each arrives with its bytes', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const events = Array.from({ length: 24 }, (_, n) =>
    completed({ workspaceId, body: Buffer.from(`{"n":${n},"text":"${'x'.repeat(400_000)}"}`) }),
  );
  await system.raise(events);
  await system.taken(events);
  const hasAll = (): void => {
    const arrived = new Set(hook.requests.map(({ headers }) => headers['webhook-id']));
    expect(arrived.size).toBe(events.length);
  };
  await eventually(hasAll);
  const bodies = new Set(hook.requests.map(({ body }) => body.toString()));
  expect(events.filter(({ body }) => !bodies.has(body.toString()))).toEqual([]);
});

test('a completed interaction reaches the webhook: its bytes, the secret token, signed headers', async () => {
  await using hook = await subscription();
  const body = Buffer.from('{ "customer_id":"ü 😀 \\u0000", "evaluation": {},\n"transcript":[] }');
  const event = completed({ workspaceId: hook.workspaceId, body });
  const { id, workspaceId } = hook;
  const { signingSecret } = await system.client.rotateSigningSecret(
    { workspaceId, id, overlapSeconds: 0 },
    call,
  );
  await system.raise([event]);

  const request = await eventually(() => {
    expect(hook.requests).toHaveLength(1);
    return hook.requests[0];
  });
  expect(request?.method).toBe('POST');
  expect(request?.body.equals(body)).toBe(true);
  const url = new URL(request?.url ?? '', hook.url);
  expect(url.pathname).toBe('/hook');
  expect(Object.fromEntries(url.searchParams)).toEqual({ keep: '1', secretToken: hook.secretToken });
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': event.id,
    'x-parley-event': 'InteractionCompleted',
    'x-parley-workspace-id': hook.workspaceId,
    'x-parley-webhook-id': hook.id,
    'x-parley-attempt': '1',
  });
  new StandardWebhook(signingSecret).verify(body, request?.headers as Record<string, string>);
  await settled(hook.id, 'succeeded', 1);
});

test('while a signing secret is rotated the earlier and the new one both verify', async () => {
  await using hook = await subscription();
  const rotate = (overlapSeconds: number) =>
    system.client.rotateSigningSecret({ workspaceId: hook.workspaceId, id: hook.id, overlapSeconds }, call);
  const ended = await rotate(0);
  const earlier = await rotate(0);
  const latest = await rotate(3_600);
  const event = completed({ workspaceId: hook.workspaceId });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  const headers = hook.requests[0]?.headers as Record<string, string>;
  const verify = (secret: string) => () => new StandardWebhook(secret).verify(event.body, headers);
  expect(verify(latest.signingSecret)).not.toThrow();
  expect(verify(earlier.signingSecret)).not.toThrow();
  expect(verify(ended.signingSecret)).toThrow();
});

test('a failed delivery is retried with the same bytes and id until it succeeds', async () => {
  const answers: ReceiverAnswer[] = [
    { status: 500, body: 'no' },
    { status: 302, headers: { location: '/x' } },
    { status: 200 },
  ];
  await using hook = await subscription((_request, index) => answers[index] ?? { status: 200 });
  const event = completed({ workspaceId: hook.workspaceId });
  await system.raise([event]);
  await settled(hook.id, 'succeeded', 3);
  expect(hook.requests.map((request) => request.headers['x-parley-attempt'])).toEqual(['1', '2', '3']);
  expect(new Set(hook.requests.map((request) => request.headers['webhook-id'])).size).toBe(1);
  expect(new Set(hook.requests.map((request) => request.url)).size).toBe(1);
  for (const request of hook.requests) expect(request.body.equals(event.body)).toBe(true);
  expect(await attemptsOf(hook.id)).toEqual([
    { number: 1, status: 500, error: 'http_500', responseExcerpt: Buffer.from('no') },
    { number: 2, status: 302, error: 'http_302', responseExcerpt: null },
    { number: 3, status: 200, error: null, responseExcerpt: null },
  ]);
});

test('an attempt without an answer in time fails', async () => {
  await using hook = await subscription((_request, index) => (index === 0 ? 'hang' : { status: 200 }));
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  await settled(hook.id, 'succeeded', 2);
  expect(await attemptsOf(hook.id)).toMatchObject([
    { status: null, error: 'timeout_total' },
    { error: null },
  ]);
});

test('a delivery whose last attempt has failed stays failed', async () => {
  await using hook = await subscription(() => ({ status: 503 }));
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  await settled(hook.id, 'failed', 4);
  expect(hook.requests).toHaveLength(4);
});

test.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
])(
  '%i with Retry-After pauses the webhook as %s, and is in the log, but costs the delivery no attempt',
  async (status, pauseReason) => {
    const { requests, id, workspaceId } = await subscription((_request, index) =>
      index === 0 ? { status, headers: { 'retry-after': '3600' } } : { status: 200 },
    );
    await system.raise([completed({ workspaceId })]);
    await settled(id, 'pending', 0);
    await eventually(async () => {
      const lane = system.db.selectFrom('lane').select('pausedUntil').where('webhookId', '=', id);
      const { pausedUntil } = await lane.executeTakeFirstOrThrow();
      expect(pausedUntil?.getTime()).toBeGreaterThan(Date.now() + 50 * 60_000);
    });
    await eventually(async () =>
      expect(await attemptsOf(id)).toMatchObject([{ status, error: `http_${status}` }]),
    );
    expect(await system.deliveries.getStats({ workspaceId, webhookId: id }, call)).toMatchObject({
      pauseReason,
    });
    // Deliveries of later events wait too.
    await system.raise([completed({ workspaceId })]);
    await eventually(async () => expect(await deliveriesOf(id)).toHaveLength(2));
    expect(requests).toHaveLength(1);
  },
);

test('410 ends the delivery, deactivates the webhook, and skips its other deliveries', async () => {
  await using hook = await subscription((_request, index) => ({ status: index < 2 ? 500 : 410 }));
  await system.raise([
    completed({ workspaceId: hook.workspaceId }),
    completed({ workspaceId: hook.workspaceId }),
  ]);
  await eventually(async () => {
    const { client } = system;
    expect(await client.getWebhook({ workspaceId: hook.workspaceId, id: hook.id }, call)).toMatchObject({
      isActive: false,
      version: 2,
    });
    const states = (await deliveriesOf(hook.id)).map((delivery) => delivery.state);
    expect(states).toContain('failed');
    expect(states).not.toContain('pending');
  });
  const reasons = system.db.selectFrom('webhook').where('id', '=', hook.id).select('inactiveReason');
  expect(await reasons.executeTakeFirst()).toEqual({ inactiveReason: 'gone' });
});

test('inactive and deleted webhooks and those of other workspaces get nothing', async () => {
  await using hook = await subscription();
  await using other = await subscription();
  const { workspaceId, url } = hook;
  await system.createWebhook({ workspaceId, url: `${url}?inactive`, isActive: false });
  const deleted = await system.createWebhook({ workspaceId, url: `${url}?deleted` });
  await system.client.deleteWebhook({ workspaceId, id: deleted.id }, call);
  const event = completed({ workspaceId });
  await system.raise([event]);
  await settled(hook.id, 'succeeded', 1);
  const made = system.db.selectFrom('delivery').where('eventId', '=', event.id).select('webhookId');
  expect(await made.execute()).toEqual([{ webhookId: hook.id }]);
  expect(hook.requests).toHaveLength(1);
  expect(other.requests).toEqual([]);
});

test('every active webhook of the workspace gets the event', async () => {
  await using hook = await subscription();
  await using second = await startReceiver();
  await system.createWebhook({ workspaceId: hook.workspaceId, url: second.url });
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  await eventually(() => {
    expect(hook.requests).toHaveLength(1);
    expect(second.requests).toHaveLength(1);
  });
});

test('an event that arrives twice is delivered once', async () => {
  await using hook = await subscription();
  const event = completed({ workspaceId: hook.workspaceId });
  await system.raise([event, event]);
  await settled(hook.id, 'succeeded', 1);
  await system.raise([event]);
  const after = completed({ workspaceId: hook.workspaceId });
  await system.raise([after]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
  expect(new Set(hook.requests.map((request) => request.headers['webhook-id'])).size).toBe(2);
});

test('a deactivation skips open deliveries, also those in flight; an activation does not reopen them', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription((_request, index) =>
    index === 0 ? answering.promise : { status: 200 },
  );
  const { workspaceId, id } = hook;
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'skipped' }]);
  answering.resolve({ status: 500 });
  await settled(id, 'skipped', 1);

  // An event in the millisecond of the deactivation counts as before it.
  const unseen = completed({ workspaceId, raisedAt: new Date(Date.now() + 1) });
  await system.raise([unseen]);
  await system.taken([unseen]);
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  const seen = completed({ workspaceId });
  await system.raise([seen]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
  expect(hook.requests[1]?.body.equals(seen.body)).toBe(true);
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'skipped' }, {}]);
});

test('a delivery in flight at the deactivation of its webhook can succeed', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription(() => answering.promise);
  const { workspaceId, id } = hook;
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  answering.resolve({ status: 200 });
  await settled(id, 'succeeded', 1);
});

test('deleting a webhook discards open deliveries, also those in flight', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription(() => answering.promise);
  const { workspaceId, id } = hook;
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await system.client.deleteWebhook({ workspaceId, id }, call);
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'discarded' }]);
  answering.resolve({ status: 500 });
  await settled(id, 'discarded', 1);
});

test('the request continues the trace of the completion', async () => {
  await using hook = await subscription();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await system.raise([completed({ workspaceId: hook.workspaceId })], traceparent);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  expect(hook.requests[0]?.headers['traceparent']).toBe(traceparent);
});

test.each([
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
])('the request does not continue the invalid trace %s', async (traceparent) => {
  await using hook = await subscription();
  await system.raise([completed({ workspaceId: hook.workspaceId })], traceparent);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  expect(hook.requests[0]?.headers).not.toHaveProperty('traceparent');
});

test('an event without a completed interaction is dropped and delays no other', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const events = [completed({ workspaceId }), completed({ workspaceId, body: Buffer.of() })];
  await system.raise([...events, completed({ workspaceId })]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
  await system.taken(events);
  expect(await deliveriesOf(hook.id)).toHaveLength(2);
});

test('a body that is not UTF-8 is delivered as text, and delays no other', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const body = Buffer.from([...Buffer.from('{"said":"'), 0xff, 0, ...Buffer.from('"}')]);
  await system.raise([completed({ workspaceId, body }), completed({ workspaceId, body: Buffer.from('{}') })]);
  await eventually(() => {
    expect(hook.requests.map((request) => request.body.toString()).toSorted()).toEqual([
      '{"said":"\ufffd"}',
      '{}',
    ]);
  });
});

test('a webhook gets no events that were raised before its activation', async () => {
  await using receiver = await startReceiver();
  const before = completed({ raisedAt: new Date(Date.now() - 1_000) });
  const { workspaceId } = before;
  await system.createWebhook({ workspaceId, url: receiver.url });
  const after = completed({ workspaceId });
  await system.raise([before]);
  await system.taken([before]);
  await system.raise([after]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  expect(receiver.requests[0]?.headers['webhook-id']).toBe(after.id);
});

test('an event for which no webhook listens is not stored, and without webhooks not recorded', async () => {
  await using hook = await subscription();
  const { workspaceId, id } = hook;
  const nobodys = [completed(), completed({ workspaceId, raisedAt: new Date(Date.now() - 60_000) })];
  await system.raise([...nobodys, completed({ workspaceId })]);
  await settled(id, 'succeeded', 1);
  const ids = nobodys.map((event) => event.id);
  expect(await system.db.selectFrom('event').where('id', 'in', ids).select('id').execute()).toEqual([]);
  const { rows } = await sql`
    ${acrossWorkspaces('the inbox has no workspaces')}
    select from handled_event where event_id = ${ids[0]}`.execute(system.db);
  expect(rows).toEqual([]);
});
