import { randomUUID } from 'node:crypto';
import { openBroker } from '@parley/events/nats';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Answer, startReceiver } from '@parley/testing/receiver';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disabledSubject, failingSubject } from '../src/service.ts';
import { addEvents } from './lanes.ts';
import { call, completed, type System, startSystem } from './system.ts';

// What becomes of a webhook whose receiver fails for minutes, or for days. Time passes by writing rows.

let system: System;
beforeAll(async () => {
  system = await startSystem({ totalTimeoutMs: 1_000, retryDelaysMs: Array(10).fill(0) });
});
afterAll(() => system[Symbol.asyncDispose]());

async function subscription(respond: () => Answer) {
  const receiver = await startReceiver(respond);
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const raise = async (number: number, completedAt: Date | null = null): Promise<void> => {
    const events = Array.from({ length: number }, () => completed({ workspaceId, completedAt }));
    await system.raise(events);
    await system.taken(events);
  };
  return { ...receiver, workspaceId, id, raise };
}

const laneOf = (webhookId: string) =>
  system.db.selectFrom('lane').where('webhookId', '=', webhookId).selectAll().executeTakeFirstOrThrow();

const statesOf = async (webhookId: string) =>
  (
    await system.db
      .selectFrom('delivery')
      .where('webhookId', '=', webhookId)
      .orderBy('createdAt')
      .select('state')
      .execute()
  ).map(({ state }) => state);

/** Waits until the breaker has been opened so often, with nothing under way. */
const openedTimes = (webhookId: string, openings: number) =>
  eventually(
    async () => {
      expect(await laneOf(webhookId)).toMatchObject({ openings });
      const held = system.db
        .selectFrom('openDelivery')
        .where('webhookId', '=', webhookId)
        .where('leaseToken', 'is not', null);
      expect(await held.select('id').execute()).toEqual([]);
    },
    { timeoutMs: 20_000 },
  );

/** Lets the pause of a lane end. */
const endPause = (webhookId: string) =>
  sql`update lane set paused_until = now(), ready_at = now() where webhook_id = ${webhookId}`.execute(
    system.db,
  );

test('who does not answer is left alone, tried once after a pause, and gets all when back', async () => {
  let answer: Answer = 'hang';
  await using hook = await subscription(() => answer);
  await hook.raise(12);
  await openedTimes(hook.id, 1);
  const { pausedUntil, inFlightMax } = await laneOf(hook.id);
  expect(inFlightMax).toBe(1);
  const pauseMs = (pausedUntil?.getTime() ?? 0) - Date.now();
  expect(pauseMs).toBeGreaterThan(15_000);
  expect(pauseMs).toBeLessThanOrEqual(30_000);
  const tried = hook.requests.length;
  expect(tried).toBeLessThanOrEqual(8);

  await endPause(hook.id);
  await openedTimes(hook.id, 2);
  expect(hook.requests).toHaveLength(tried + 1);

  // What was parked has as many attempts before it as it had.
  const spent = system.db.selectFrom('delivery').where('webhookId', '=', hook.id).select('attempts');
  const attempts = (await spent.execute()).reduce((sum, one) => sum + one.attempts, 0);
  expect(attempts).toBe(tried + 1);

  answer = { status: 200 };
  await endPause(hook.id);
  await eventually(async () => {
    expect(await statesOf(hook.id)).toEqual(Array(12).fill('succeeded'));
  });
  expect(await laneOf(hook.id)).toMatchObject({ openings: 0, pausedUntil: null, isPrompt: true });
});

test('who answers most with errors is paused too', async () => {
  await using hook = await subscription(() => ({ status: 500 }));
  await hook.raise(10);
  await openedTimes(hook.id, 1);
  expect(await statesOf(hook.id)).toEqual(Array(10).fill('pending'));
});

test('a breaker that opens does not shorten the pause that the receiver has asked for', async () => {
  let answered = 0;
  await using hook = await subscription(() => {
    answered += 1;
    return answered === 1 ? { status: 503, headers: { 'retry-after': '3600' } } : 'hang';
  });
  await sql`update lane set in_flight_max = 8 where webhook_id = ${hook.id}`.execute(system.db);
  // At once: what came after that answer would not be sent.
  await addEvents(system.db, hook, 8);
  await openedTimes(hook.id, 1);
  const inHalfAnHour = Date.now() + 1_800_000;
  const lane = await laneOf(hook.id);
  expect(lane.pausedUntil?.getTime()).toBeGreaterThan(inHalfAnHour);
  expect(lane.pauseReason).toBe('unavailable');
  await hook.raise(1);
  expect((await laneOf(hook.id)).readyAt?.getTime()).toBeGreaterThan(inHalfAnHour);
});

test('an operator who activates a webhook again, active or not, closes its breaker at once', async () => {
  let answer: Answer = { status: 500 };
  await using hook = await subscription(() => answer);
  await hook.raise(10);
  await openedTimes(hook.id, 1);
  answer = { status: 200 };
  const { workspaceId, id } = hook;
  const webhook = await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(webhook).toMatchObject({ version: 1 });
  await eventually(async () => expect(await statesOf(id)).toEqual(Array(10).fill('succeeded')));
});

/** As if the lane had failed for so long. */
const failFor = (webhookId: string, days: number) =>
  sql`
    update lane set failing_since = now() - ${days} * interval '1 day',
      failing_again_at = now() - ${days - 1} * interval '1 day'
    where webhook_id = ${webhookId}`.execute(system.db);

/** Lets what waits be tried at once. */
const closeBreaker = (webhookId: string) =>
  sql`
    update lane set openings = 0, paused_until = null, ready_at = now()
    where webhook_id = ${webhookId}`.execute(system.db);

test('before that it is warned: of each share once, whichever copy finds out, and anew after a success', async () => {
  let answer: Answer = { status: 500 };
  await using hook = await subscription(() => answer);
  const { workspaceId, id } = hook;
  await system.startCopy();
  await using broker = await openBroker({ url: system.nats.url, logger });
  const news: { share: number; failingSince: string; disabledAt: string }[] = [];
  broker.listen(failingSubject, (text) => {
    const failing = JSON.parse(text);
    if (failing.webhookId === id) news.push(failing);
  });
  await broker.streams();
  /** Has deliveries fail, by either copy, after so many days without a success. */
  const failAfter = async (days: number): Promise<void> => {
    await failFor(id, days);
    await hook.raise(4);
    const tried = hook.requests.length;
    await eventually(async () => {
      await closeBreaker(id);
      expect(hook.requests.length).toBeGreaterThanOrEqual(tried + 4);
    });
  };
  await failAfter(2.4);
  expect(news).toEqual([]);
  await failAfter(2.6);
  await eventually(() => expect(news).toHaveLength(1));
  const [first] = news;
  expect(first).toMatchObject({ workspaceId, webhookId: id, share: 0.5 });
  const { failingSince = '', disabledAt = '' } = first ?? {};
  expect(Date.parse(disabledAt) - Date.parse(failingSince)).toBe(5 * 24 * 60 * 60 * 1_000);
  // The lane's past is written anew: to the copies it is as if they had said nothing of it.
  await failAfter(4.55);
  await eventually(() => expect(news.map(({ share }) => share)).toEqual([0.5, 0.9]));

  answer = { status: 200 };
  await eventually(async () => {
    await closeBreaker(id);
    expect(await laneOf(id)).toMatchObject({ failingSince: null });
  });
  await eventually(async () => expect(new Set(await statesOf(id))).toEqual(new Set(['succeeded'])));
  answer = { status: 500 };
  await failAfter(2.52);
  await eventually(() => expect(news.map(({ share }) => share)).toEqual([0.5, 0.9, 0.5]));
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({ isActive: true });
  await system.stopFirst();
});

test('after five days without a success a webhook is disabled: said once, its events are kept as skipped', async () => {
  let answer: Answer = { status: 500 };
  await using hook = await subscription(() => answer);
  const { workspaceId, id } = hook;
  await using broker = await openBroker({ url: system.nats.url, logger });
  const news: unknown[] = [];
  broker.listen(disabledSubject, (text) => news.push(JSON.parse(text)));
  await broker.streams();
  await failFor(id, 5);
  await hook.raise(3);
  await eventually(async () => {
    const webhook = await system.client.getWebhook({ workspaceId, id }, call);
    expect(webhook).toMatchObject({ isActive: false, version: 2 });
    expect(await statesOf(id)).toEqual(['skipped', 'skipped', 'skipped']);
  });
  const row = system.db.selectFrom('webhook').where('id', '=', id).select('inactiveReason');
  expect(await row.executeTakeFirst()).toEqual({ inactiveReason: 'auto' });
  await eventually(() =>
    expect(news).toEqual([{ workspaceId, webhookId: id, failingSince: expect.any(String) }]),
  );

  const tried = hook.requests.length;
  await hook.raise(2);
  expect(await statesOf(id)).toEqual(Array(5).fill('skipped'));
  expect(hook.requests).toHaveLength(tried);

  answer = { status: 200 };
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(await laneOf(id)).toMatchObject({
    failingSince: null,
    failingAgainAt: null,
    openings: 0,
    inFlightMax: 1,
  });
  await hook.raise(1);
  await eventually(async () =>
    expect(await statesOf(id)).toEqual([...Array(5).fill('skipped'), 'succeeded']),
  );
  expect(news).toHaveLength(1);
});

test('a success in five days of failures keeps a webhook active', async () => {
  await using hook = await subscription(() => ({ status: 200 }));
  await failFor(hook.id, 6);
  await hook.raise(1);
  await eventually(async () => expect(await statesOf(hook.id)).toEqual(['succeeded']));
  expect(await laneOf(hook.id)).toMatchObject({ failingSince: null });
  const { workspaceId, id } = hook;
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({ isActive: true });
});

test('of what happens while a caller has deactivated a webhook nothing is kept', async () => {
  await using hook = await subscription(() => ({ status: 200 }));
  const { workspaceId, id } = hook;
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  // What was completed in the millisecond in which it was deactivated counts as before that.
  await hook.raise(2, new Date(Date.now() + 1));
  expect(await statesOf(id)).toEqual([]);
});
