import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeEvents } from '../src/intake/event-store.ts';
import { incoming } from './lanes.ts';
import { completed, type System, startSystem } from './system.ts';

// Receivers that never answer, and what they cost those that do. Nothing here depends on how fast this machine is: the
// black holes hold what they have for longer than a test takes.

let system: System;
beforeEach(async () => {
  system = await startSystem({ totalTimeoutMs: 100_000, leaseMs: 120_000 });
});
afterEach(() => system[Symbol.asyncDispose]());

const holes = 50;
const eventsEach = 30;

/** Webhooks of as many workspaces that lead into black holes; answers their workspaces. */
async function digHoles(url: string): Promise<string[]> {
  const workspaceIds = Array.from({ length: holes }, () => randomUUID());
  await Promise.all(workspaceIds.map((workspaceId) => system.createWebhook({ workspaceId, url })));
  return workspaceIds;
}

/** All in one statement: were they to come one after another, the first would be known to hang before the last is there. */
const raiseEach = (workspaceIds: readonly string[]) =>
  takeEvents(
    system.db,
    workspaceIds.flatMap((workspaceId) =>
      Array.from({ length: eventsEach }, () => incoming({ workspaceId })),
    ),
  );

/** A webhook whose receiver has answered before. */
async function healthyHook(receiver: Receiver): Promise<string> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(async () => {
    const lane = await system.db.selectFrom('lane').where('webhookId', '=', id).select('isPrompt').execute();
    expect(lane).toEqual([{ isPrompt: true }]);
  });
  return workspaceId;
}

/** Has so many events delivered to the healthy one, and sees that no black hole has let go of anything meanwhile. */
async function deliverAll(workspaceId: string, receiver: Receiver, events: number): Promise<void> {
  const before = receiver.requests.length;
  await system.raise(Array.from({ length: events }, () => completed({ workspaceId })));
  await eventually(() => expect(receiver.requests).toHaveLength(before + events), { timeoutMs: 20_000 });
}

const attemptsOf = async (workspaceIds: readonly string[]): Promise<number> =>
  (
    await system.db
      .selectFrom('everyAttempt')
      .where('workspaceId', 'in', [...workspaceIds])
      .select('number')
      .execute()
  ).length;

test('50 receivers that never answered have one attempt each under way, and another gets all of its events meanwhile', async () => {
  await using hole = await startReceiver(() => 'hang');
  await using receiver = await startReceiver();
  const healthy = await healthyHook(receiver);
  const dark = await digHoles(hole.url);
  await raiseEach(dark);
  await eventually(() => expect(hole.requests).toHaveLength(holes));
  await deliverAll(healthy, receiver, 300);
  expect(hole.requests).toHaveLength(holes);
  expect(await attemptsOf(dark)).toBe(0);
});

test('the first event of a new webhook does not wait for receivers that never answer', async () => {
  await using hole = await startReceiver(() => 'hang');
  await using receiver = await startReceiver();
  const dark = await digHoles(hole.url);
  await raiseEach(dark);
  await eventually(() => expect(hole.requests).toHaveLength(holes));
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await deliverAll(workspaceId, receiver, 300);
  expect(await attemptsOf(dark)).toBe(0);
});

test('50 good receivers that stop answering all at once leave the others slots within seconds', async () => {
  await using hole = await startReceiver(() => 'hang');
  await using receiver = await startReceiver();
  const healthy = await healthyHook(receiver);
  const dark = await digHoles(hole.url);
  await system.db
    .updateTable('lane')
    .set({ isPrompt: true, inFlightMax: 32 })
    .where('workspaceId', 'in', dark)
    .execute();
  await raiseEach(dark);
  await eventually(() => expect(hole.requests.length).toBeGreaterThanOrEqual(256));
  await deliverAll(healthy, receiver, 300);
  // Of 1,152 that may be under way.
  expect(hole.requests.length).toBeLessThanOrEqual(1_024);
  expect(await attemptsOf(dark)).toBe(0);
});

test('a workspace whose webhooks are all busy does not keep the event of another waiting', async () => {
  const answering = Promise.withResolvers<{ status: number }>();
  await using busy = await startReceiver(() => answering.promise);
  await using receiver = await startReceiver();
  const healthy = await healthyHook(receiver);
  const workspaceId = randomUUID();
  await Promise.all(Array.from({ length: 20 }, () => system.createWebhook({ workspaceId, url: busy.url })));
  await system.raise(Array.from({ length: 10 }, () => completed({ workspaceId })));
  await eventually(() => expect(busy.requests.length).toBeGreaterThanOrEqual(20));
  await deliverAll(healthy, receiver, 20);
  answering.resolve({ status: 200 });
  await eventually(() => expect(busy.requests).toHaveLength(200));
});
