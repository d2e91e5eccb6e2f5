import { randomUUID } from 'node:crypto';
import { inSpan } from '@parley/runtime/telemetry/telemetry';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFinished } from './controls.ts';
import { call, completed, type System, startSystem } from './system.ts';

// The operator of a receiver makes calls, and the receiver gets the deliveries.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

/** A workspace with one active webhook and its receiver. */
async function subscription(respond?: (index: number) => ReceiverAnswer) {
  const receiver = await startReceiver((_request, index) => respond?.(index) ?? { status: 200 });
  const workspaceId = randomUUID();
  const { id: webhookId } = await system.createWebhook({ workspaceId, url: receiver.url });
  return { ...receiver, workspaceId, webhookId, of: { workspaceId, webhookId } };
}

type Hook = Awaited<ReturnType<typeof subscription>>;

const list = async ({ of }: Hook) => {
  const request = { ...of, states: [], since: null, until: null, cursor: '', limit: 50 };
  return (await system.deliveries.listDeliveries(request, call)).deliveries;
};
const settled = (hook: Hook, state: string, attempts: number) =>
  eventually(async () => {
    const [delivery, ...others] = await list(hook);
    expect(delivery).toMatchObject({ state, attempts });
    expect(others).toEqual([]);
    return delivery?.id ?? '';
  });
const setActive = ({ workspaceId, webhookId: id }: Hook, isActive: boolean) =>
  system.client.updateWebhook({ workspaceId, id, isActive }, call);

test('a test event is signed, has the fields of all bodies, and is marked as a test', async () => {
  await using hook = await subscription();
  await using other = await subscription();
  const { workspaceId, webhookId } = hook;
  const second = await system.createWebhook({ workspaceId, url: other.url });
  const { signingSecret } = await system.client.rotateSigningSecret(
    { workspaceId, id: webhookId, overlapSeconds: 0 },
    call,
  );
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { delivery, replayed } = await inSpan('test', { parent }, () =>
    system.deliveries.sendTestEvent({ ...hook.of, idempotency: null }, call),
  );
  expect(replayed).toBe(false);
  expect(delivery).toMatchObject({ isTest: true, state: 'pending', attempts: 0, isUnderWay: false });
  await settled(hook, 'succeeded', 1);
  expect(await list(hook)).toMatchObject([{ id: delivery?.id, eventId: delivery?.eventId, isTest: true }]);
  const [request] = hook.requests;
  const shown = await system.deliveries.getDeliveryBody({ ...hook.of, id: delivery?.id ?? '' }, call);
  expect(String(shown.body)).toBe(String(request?.body));
  expect(request?.headers).toMatchObject({
    'webhook-id': delivery?.eventId,
    'x-parley-event': 'Test',
    'x-parley-test': 'true',
    traceparent: parent,
    'x-parley-delivery-id': delivery?.id,
    'x-parley-attempt': '1',
  });
  const body: unknown = new StandardWebhook(signingSecret).verify(
    request?.body ?? '',
    request?.headers as Record<string, string>,
  );
  expect(Object.keys(body as object)).toEqual([
    'customer_id',
    'interaction_id',
    'evaluation',
    'transcript',
    'test',
  ]);
  const entry = {
    body: expect.any(String),
    timestamp: expect.any(Number),
    type: expect.stringMatching(/^(bot|customer)$/),
  };
  const { transcript, evaluation, ...ids } = body as { transcript: unknown[]; evaluation: object };
  expect(ids).toEqual({ customer_id: 'test-customer', interaction_id: delivery?.eventId, test: true });
  expect(transcript.length).toBeGreaterThan(1);
  for (const said of transcript) expect(said).toEqual(entry);
  expect(Object.values(evaluation).every((value) => typeof value === 'string')).toBe(true);
  // Only the named webhook gets it.
  expect(other.requests).toEqual([]);
  expect(await list({ ...hook, of: { workspaceId, webhookId: second.id } })).toEqual([]);
});

test('a test event is created once under an idempotency key, and not for an inactive webhook', async () => {
  await using hook = await subscription();
  const send = (idempotency: { scope: string; fingerprint: Buffer } | null) =>
    system.deliveries.sendTestEvent({ ...hook.of, idempotency }, call);
  const key = { scope: randomUUID(), fingerprint: Buffer.from('') };
  const first = await send(key);
  expect(await send(key)).toEqual({ delivery: first.delivery, replayed: true });
  await settled(hook, 'succeeded', 1);
  await setActive(hook, false);
  const inactive = { code: 'failed_precondition', type: 'webhook-inactive' };
  const refusedKey = { ...key, scope: randomUUID() };
  for (const idempotency of [null, refusedKey])
    await expect(send(idempotency)).rejects.toMatchObject(inactive);
  expect(await send(key)).toMatchObject({ replayed: true });
  await setActive(hook, true);
  // A rejected call has not consumed the key.
  expect(await send(refusedKey)).toMatchObject({ replayed: false });
  await eventually(() => expect(hook.requests).toHaveLength(2));
});

test('a test event obeys the filter of its webhook, unless the call ignores it', async () => {
  await using hook = await subscription();
  const setFilter = (filter: string) =>
    system.deliveries.updateWebhookOptions(
      {
        workspaceId: hook.workspaceId,
        id: hook.webhookId,
        headers: null,
        rateLimit: null,
        events: [],
        filter: { filter },
      },
      call,
    );
  const send = (event: string | null, ignoresFilter = false) =>
    system.deliveries.sendTestEvent({ ...hook.of, idempotency: null, event, ignoresFilter }, call);
  const filtered = { code: 'failed_precondition', type: 'event-filtered' };
  await setFilter("event.type == 'InteractionStalled' && interaction.botKey == 'nps'");
  expect(await send('InteractionStalled')).toMatchObject({ delivery: { isTest: true } });
  for (const event of [null, 'InteractionCompleted', 'WebhookDeactivated'])
    await expect(send(event)).rejects.toMatchObject(filtered);
  await setFilter("evaluation['nps_score'] == '9'");
  expect(await send(null)).toMatchObject({ delivery: { event: 'Test' } });
  // It fails for an event without that value.
  await expect(send('InteractionCreated')).rejects.toMatchObject(filtered);
  expect(await send('InteractionCreated', true)).toMatchObject({ delivery: { event: 'InteractionCreated' } });
  await eventually(() => expect(hook.requests).toHaveLength(3));
});

test('a test event is retried like any other', async () => {
  await using hook = await subscription((index) => ({ status: index === 0 ? 500 : 200 }));
  await system.deliveries.sendTestEvent({ ...hook.of, idempotency: null }, call);
  await settled(hook, 'succeeded', 2);
  const bodies = hook.requests.map(({ body }) => body.toString());
  expect(bodies[0]).toBe(bodies[1]);
});

test('a delivery without attempts left gets one more per retry, with the next number and the same id and bytes', async () => {
  let status = 500;
  await using hook = await subscription(() => ({ status, body: `it was ${status}` }));
  const event = completed({ workspaceId: hook.workspaceId });
  await system.raise([event]);
  const id = await settled(hook, 'failed', 4);
  await system.deliveries.retryDelivery({ ...hook.of, id }, call);
  await settled(hook, 'failed', 5);
  status = 200;
  await system.deliveries.retryDelivery({ ...hook.of, id }, call);
  await settled(hook, 'succeeded', 6);
  // It may be sent once more, for a receiver that has lost it.
  await system.deliveries.retryDelivery({ ...hook.of, id }, call);
  await settled(hook, 'succeeded', 7);
  const { attempts } = await system.deliveries.listAttempts(
    { ...hook.of, deliveryId: id, cursor: '', limit: 20 },
    call,
  );
  expect(
    attempts.map(({ number, status, responseExcerpt }) => [number, status, responseExcerpt.toString()]),
  ).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => {
      const answered = number < 6 ? 500 : 200;
      return [number, answered, `it was ${answered}`];
    }),
  );
  expect(hook.requests.map(({ headers }) => headers['x-parley-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
  ]);
  expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  for (const { body } of hook.requests) expect(body.equals(event.body)).toBe(true);
});

test('recovered skipped deliveries are delivered, page by page', async () => {
  await using hook = await subscription();
  await using session = await openSqlConnection(system.adminUrl);
  await session.query('set search_path = webhook');
  const { workspaceId, webhookId: id } = hook;
  const skipped = { number: 600, state: 'skipped', ago: '2 days', attempts: 0 };
  await addFinished(session, { workspaceId, id }, skipped);
  const since = new Date(Date.now() - 3 * 24 * 3_600_000);
  const { recovery } = await system.deliveries.startRecovery(
    { ...hook.of, since, until: null, states: ['skipped'], idempotency: null },
    call,
  );
  await eventually(async () => {
    const found = await system.deliveries.getRecovery({ ...hook.of, id: recovery?.id ?? '' }, call);
    expect(found).toMatchObject({ state: 'done', recovered: 600 });
    expect(hook.requests).toHaveLength(600);
  });
  expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(600);
});

test('statistics have the results of the receiver, without reads of the log', async () => {
  let status = 200;
  await using hook = await subscription(() => ({ status }));
  const stats = () => system.deliveries.getStats(hook.of, call);
  const unknown = { lastSuccessAt: null, failingSince: null, disabledAt: null, pausedUntil: null };
  expect(await stats()).toEqual({
    ...unknown,
    pending: 0,
    oldestDueSeconds: 0,
    breaker: 'closed',
    pauseReason: '',
    inactiveReason: '',
    filtered: 0,
    filterErrors: 0,
    lastFilterError: null,
    delayedSince: null,
    delayReason: '',
    waitingEvents: 0,
    hours: [],
  });
  await system.raise([
    completed({ workspaceId: hook.workspaceId }),
    completed({ workspaceId: hook.workspaceId }),
  ]);
  await eventually(async () =>
    expect((await list(hook)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']),
  );
  // The state of a lane is saved shortly after its results.
  await eventually(async () =>
    expect(await stats()).toMatchObject({ ...unknown, lastSuccessAt: expect.any(Date), breaker: 'closed' }),
  );
  status = 500;
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  await eventually(async () => expect((await list(hook)).map(({ state }) => state)).toContain('failed'));
  const failing = await eventually(async () => {
    const found = await stats();
    expect(found.hours.reduce((sum, { failures }) => sum + failures, 0)).toBe(4);
    return found;
  });
  expect(failing).toMatchObject({
    pending: 0,
    lastSuccessAt: expect.any(Date),
    failingSince: expect.any(Date),
  });
  expect(Number(failing.disabledAt) - Number(failing.failingSince)).toBe(5 * 24 * 3_600_000);
  const hours = failing.hours.reduce(
    (sum, one) => ({ attempts: sum.attempts + one.attempts, failures: sum.failures + one.failures }),
    { attempts: 0, failures: 0 },
  );
  expect(hours).toEqual({ attempts: 6, failures: 4 });
  for (const hour of failing.hours) {
    expect(Number(hour.hour) % 3_600_000).toBe(0);
    expect(hour.maxMs).toBeGreaterThanOrEqual(hour.meanMs);
  }
  await setActive(hook, false);
  expect(await stats()).toMatchObject({
    inactiveReason: 'user',
    disabledAt: null,
    failingSince: expect.any(Date),
  });
});

test('statistics have the backlog, its age, and the end of a pause', async () => {
  await using hook = await subscription();
  await using session = await openSqlConnection(system.adminUrl);
  await session.query('set search_path = webhook');
  await session.query(
    `update lane set revision = revision + 1, openings = 1, paused_until = now() + interval '1 hour' where webhook_id = $1`,
    [hook.webhookId],
  );
  await session.query(
    `insert into open_delivery (id, workspace_id, webhook_id, event_id, due_at)
     select uuidv7(), $1, $2, uuidv7(), now() + (number - 90) * interval '1 second'
     from generate_series(0, 10010) as number`,
    [hook.workspaceId, hook.webhookId],
  );
  const { pausedUntil, oldestDueSeconds, ...stats } = await system.deliveries.getStats(hook.of, call);
  expect(stats).toMatchObject({ pending: 10_000, breaker: 'open', pauseReason: 'breaker' });
  expect(oldestDueSeconds).toBeGreaterThanOrEqual(90);
  expect(oldestDueSeconds).toBeLessThan(150);
  expect(Number(pausedUntil)).toBeGreaterThan(Date.now());
  await session.query('delete from open_delivery where webhook_id = $1', [hook.webhookId]);
});
