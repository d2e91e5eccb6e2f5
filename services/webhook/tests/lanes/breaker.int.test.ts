import { randomUUID } from 'node:crypto';
import { type Broker, openBroker } from '@parley/events/nats';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableFailing } from '../../src/deliveries/end-store.ts';
import type { LaneTable } from '../../src/schema.ts';
import { type Hook, laneOf, setLane } from './lanes.ts';
import { call, completed, type System, startSystem } from '../system.ts';

// A webhook whose receiver fails for minutes or days. Tests change rows to simulate the time.

const hour = 60 * 60 * 1_000;
const day = 24 * hour;

/** The warnings and errors that the service has logged. */
const logged: Record<string, unknown>[] = [];
const log = (fields: object, text: string) => logged.push({ ...fields, text });
const logger = Object.assign(Object.create(quietLogger) as Logger, { warn: log, error: log });
const loggedAbout = ({ id }: Hook, words: string) =>
  logged.filter(({ webhookId, text }) => webhookId === id && String(text).includes(words));

let system: System;
let broker: Broker;
beforeAll(async () => {
  system = await startSystem({ retryDelaysMs: Array(10).fill(hour) }, logger);
  broker = await openBroker({ url: system.nats.url, logger, streamReplicas: 1 });
});
afterAll(async () => {
  await broker[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

async function subscription(respond: () => ReceiverAnswer) {
  const receiver = await startReceiver(respond);
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const raise = async (number: number): Promise<void> => {
    const events = Array.from({ length: number }, () => completed({ workspaceId }));
    await system.raise(events);
    await system.taken(events);
  };
  return { ...receiver, workspaceId, id, raise };
}

async function statesOf({ workspaceId, id }: Hook): Promise<Record<string, number>> {
  const rows = await system.db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .groupBy('state')
    .select(['state', sql<number>`count(*)::int`.as('number')])
    .execute();
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]));
}

/** Waits until the breaker has opened this often, its state is saved, and this many attempts are recorded. */
const openedTimes = (hook: Hook, openings: number, attempts: number) =>
  eventually(async () => {
    expect(await laneOf(system.db, hook)).toMatchObject({ openings });
    const made = system.db.selectFrom('delivery').where('workspaceId', '=', hook.workspaceId);
    const counts = await made.select('attempts').execute();
    expect(counts.reduce((sum, one) => sum + one.attempts, 0)).toBe(attempts);
  });

/** Changes the stored lane, and notifies its owner. */
async function alter(hook: Hook, lane: Updateable<LaneTable>): Promise<void> {
  const { revision } = await laneOf(system.db, hook);
  await setLane(system.db, hook, { ...lane, revision: revision + 1 });
  broker.broadcast('parley-webhook.due', hook.id);
}

/** Ends the pause of the lane, and makes its deliveries due. */
async function endPause({ workspaceId, id }: Hook): Promise<void> {
  await system.db
    .updateTable('openDelivery')
    .set({ dueAt: new Date() })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .execute();
  await alter({ workspaceId, id }, { pausedUntil: new Date() });
}

/** As if the lane had failed for this long. */
const failFor = (hook: Hook, days: number) =>
  alter(hook, {
    failingSince: new Date(Date.now() - days * day),
    failingAgainAt: new Date(Date.now() - (days - 1) * day),
  });

// https://github.com/frain-dev/convoy/issues/1833 and 1667: attempts did not count, and retries were due in the past.
test('a delivery that waits for a retry is due in the future, and its attempts are counted', async () => {
  await using hook = await subscription(() => ({ status: 500 }));
  await hook.raise(1);
  const waiting = await eventually(async () => {
    const open = system.db.selectFrom('openDelivery').where('workspaceId', '=', hook.workspaceId);
    const [row] = await open.selectAll().execute();
    expect(row).toMatchObject({ attempts: 1, claimedBy: null });
    return row;
  });
  const waitMs = (waiting?.dueAt.getTime() ?? 0) - Date.now();
  expect(waitMs).toBeGreaterThan(0.66 * hour);
  expect(waitMs).toBeLessThanOrEqual(1.2 * hour);
});

test('a failing receiver is paused, probed once by any owner, and gets all deliveries when it recovers', async () => {
  let answer: ReceiverAnswer = { status: 500 };
  await using hook = await subscription(() => answer);
  await hook.raise(12);
  await openedTimes(hook, 1, 10);
  const pauseMs = async () => ((await laneOf(system.db, hook)).pausedUntil?.getTime() ?? 0) - Date.now();
  expect(await pauseMs()).toBeGreaterThan(15_000);
  expect(await pauseMs()).toBeLessThanOrEqual(30_000);
  expect(hook.requests).toHaveLength(10);

  await system.startReplica();
  await system.stopFirst();
  await hook.raise(1);
  await endPause(hook);
  await openedTimes(hook, 2, 11);
  expect(await pauseMs()).toBeGreaterThan(45_000);
  expect(hook.requests).toHaveLength(11);

  answer = { status: 200 };
  await endPause(hook);
  await eventually(async () => expect(await statesOf(hook)).toEqual({ succeeded: 13 }));
  await openedTimes(hook, 0, 24);
  expect(await laneOf(system.db, hook)).toMatchObject({ pausedUntil: null, failingSince: null });
});

test('activating an active webhook ends its pause at once, also for deliveries that were attempted', async () => {
  let answer: ReceiverAnswer = { status: 429, headers: { 'retry-after': '7200' } };
  await using hook = await subscription(() => answer);
  const { workspaceId, id } = hook;
  await hook.raise(1);
  await eventually(async () =>
    expect(await laneOf(system.db, hook)).toMatchObject({ pauseReason: 'rate_limited' }),
  );
  await hook.raise(1);
  answer = { status: 200 };
  expect(await system.client.updateWebhook({ workspaceId, id, isActive: true }, call)).toMatchObject({
    version: 1,
  });
  await eventually(async () => expect(await statesOf(hook)).toEqual({ succeeded: 2 }));
  expect(hook.requests).toHaveLength(3);
});

test('each warning before a deactivation is logged once by any owner, and again after a success', async () => {
  let answer: ReceiverAnswer = { status: 500 };
  await using hook = await subscription(() => answer);
  const { workspaceId, id } = hook;
  const warnings = () => loggedAbout(hook, 'will be deactivated');
  const shares = () => warnings().map(({ share }) => share);
  /** Fails a delivery after this many days without a success. */
  const failAfter = async (days: number): Promise<void> => {
    await failFor(hook, days);
    const tried = hook.requests.length;
    await hook.raise(1);
    await eventually(() => expect(hook.requests.length).toBeGreaterThan(tried));
  };
  await failAfter(2.4);
  expect(warnings()).toEqual([]);
  await failAfter(2.6);
  await eventually(() => expect(warnings()).toHaveLength(1));
  const [first] = warnings();
  expect(first).toMatchObject({ workspaceId, webhookId: id, share: 0.5 });
  expect(Number(first?.['disabledAt']) - Number(first?.['failingSince'])).toBe(5 * day);
  await system.startReplica();
  await system.stopFirst();
  await hook.raise(1);
  await failAfter(4.55);
  await eventually(() => expect(shares()).toEqual([0.5, 0.9]));

  answer = { status: 200 };
  await hook.raise(1);
  await eventually(async () => expect(await laneOf(system.db, hook)).toMatchObject({ failingSince: null }));
  answer = { status: 500 };
  await failAfter(2.52);
  await eventually(() => expect(shares()).toEqual([0.5, 0.9, 0.5]));
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({ isActive: true });
});

test('five days without a success deactivate a webhook, with one line; later events are skipped', async () => {
  let answer: ReceiverAnswer = { status: 500 };
  await using hook = await subscription(() => answer);
  const { workspaceId, id } = hook;
  await failFor(hook, 5);
  await hook.raise(3);
  await eventually(async () => {
    const webhook = await system.client.getWebhook({ workspaceId, id }, call);
    expect(webhook).toMatchObject({ isActive: false, version: 2 });
    expect(await statesOf(hook)).toEqual({ skipped: 3 });
  });
  const row = system.db.selectFrom('webhook').where('id', '=', id).select('inactiveReason');
  expect(await row.executeTakeFirst()).toEqual({ inactiveReason: 'auto' });
  const deactivated = { workspaceId, webhookId: id, failingSince: expect.any(Date) };
  await eventually(() => expect(loggedAbout(hook, 'webhook deactivated')).toMatchObject([deactivated]));

  const tried = hook.requests.length;
  await hook.raise(2);
  expect(await statesOf(hook)).toEqual({ skipped: 5 });
  expect(hook.requests).toHaveLength(tried);

  answer = { status: 200 };
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(await laneOf(system.db, hook)).toMatchObject({
    failingSince: null,
    failingAgainAt: null,
    openings: 0,
  });
  await hook.raise(1);
  await eventually(async () => expect(await statesOf(hook)).toEqual({ skipped: 5, succeeded: 1 }));
  expect(loggedAbout(hook, 'webhook deactivated')).toHaveLength(1);
});

test('a webhook is not deactivated for failures before a reset of its lane, nor while it is inactive', async () => {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: 'http://127.0.0.1:9/' });
  const key = { workspaceId, webhookId: id };
  const { revision } = await laneOf(system.db, { workspaceId, id });
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(await disableFailing(system.db, { ...key, revision })).toBe(false);
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({ isActive: true });
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  const { revision: latest } = await laneOf(system.db, { workspaceId, id });
  expect(await disableFailing(system.db, { ...key, revision: latest })).toBe(false);
});
