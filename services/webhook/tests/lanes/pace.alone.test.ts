import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEvents, type Hook, laneOf } from './lanes.ts';
import { call, completed, type System, startSystem } from '../system.ts';

// When deliveries are sent: at the rate of their webhook, as soon as they are due, and not at the owner's next scan.

let system: System;
let receiver: Receiver;
beforeAll(async () => {
  system = await startSystem();
  receiver = await startReceiver();
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const hour = 3_600_000;
/** The interval of the owner's scan for due deliveries. */
const scanMs = 2_000;

/** A webhook with a limit whose tokens return after hours. */
async function addLimited(perSecond: number, burst: number): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: `${receiver.url}/${workspaceId}` });
  const hook = { workspaceId, id };
  await limit(hook, { perSecond, burst });
  return hook;
}

const limit = ({ workspaceId, id }: Hook, rateLimit: { perSecond: number; burst: number } | null) =>
  system.deliveries.updateWebhookOptions(
    { events: [], filter: null, workspaceId, id, headers: null, rateLimit: { rateLimit } },
    call,
  );

const raise = ({ workspaceId }: Hook, number: number) =>
  system.raise(Array.from({ length: number }, () => completed({ workspaceId })));

/** How many deliveries of the webhook were sent. */
const sent = ({ workspaceId }: Hook): number =>
  receiver.requests.filter(({ url }) => url.includes(workspaceId)).length;

/** Waits until all sent deliveries are recorded and the lane is saved. Further ones wait for a token. */
const savedAfter = (hook: Hook, attempts: number) =>
  eventually(async () => {
    const { db } = system;
    expect(sent(hook)).toBe(attempts);
    const finished = db.selectFrom('finishedDelivery').where('workspaceId', '=', hook.workspaceId);
    expect(await finished.select('id').execute()).toHaveLength(attempts);
    const hours = db.selectFrom('laneHour').where('workspaceId', '=', hook.workspaceId);
    const saved = await hours.select('attempts').execute();
    expect(saved.reduce((sum, one) => sum + one.attempts, 0)).toBe(attempts);
  });

test('no more are sent than the burst, for any owner of the lane; other webhooks do not wait for it', async () => {
  const hook = await addLimited(1 / 1_000, 5);
  const free = await addLimited(1_000, 1_000);
  await raise(hook, 20);
  await raise(free, 20);
  await savedAfter(free, 20);
  await savedAfter(hook, 5);
  const { bucketFullAt, pausedUntil, openings } = await laneOf(system.db, hook);
  expect((bucketFullAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(hour);
  expect({ pausedUntil, openings }).toEqual({ pausedUntil: null, openings: 0 });

  // Its lane changes its owner at least once more, to one without its state in memory.
  await system.startReplica();
  await system.stopFirst();
  await raise(free, 20);
  await raise(hook, 1);
  await savedAfter(free, 40);
  expect(sent(hook)).toBe(5);
});

test('a changed or removed limit applies to the next attempt', async () => {
  const hook = await addLimited(1 / 1_000, 1);
  await raise(hook, 30);
  await savedAfter(hook, 1);
  await limit(hook, { perSecond: 1 / 1_000, burst: 3 });
  await savedAfter(hook, 4);
  await system.deliveries.updateWebhookOptions(
    { events: [], filter: null, ...hook, headers: { fields: { a: 'b' } }, rateLimit: null },
    call,
  );
  await limit(hook, { perSecond: 1 / 1_000, burst: 2 });
  await savedAfter(hook, 6);
  await limit(hook, null);
  await savedAfter(hook, 30);
});

test('retries are sent when they are due', async () => {
  const atMs: number[] = [];
  await using receiver = await startReceiver(() => {
    atMs.push(performance.now());
    return { status: 500 };
  });
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(atMs).toHaveLength(4));
  // Scans alone would find the second and third retry an interval after the one before.
  expect((atMs[3] ?? 0) - (atMs[0] ?? 0)).toBeLessThan(1.5 * scanMs);
});

test('a webhook limited to 20 a second gets 20 a second', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const rateLimit = { rateLimit: { perSecond: 20, burst: 1 } };
  await system.deliveries.updateWebhookOptions(
    { events: [], filter: null, workspaceId, id, headers: null, rateLimit },
    call,
  );
  const startedAtMs = performance.now();
  await system.raise(Array.from({ length: 40 }, () => completed({ workspaceId })));
  await eventually(() => expect(receiver.requests).toHaveLength(40));
  const ms = performance.now() - startedAtMs;
  // The first token is available, and 39 follow.
  expect(ms).toBeGreaterThan(1_900);
  // Scans alone would find one token each.
  expect(ms).toBeLessThan(15 * scanMs);
});

test('a webhook paused by its receiver resumes after the pause', async () => {
  await using receiver = await startReceiver((_request, index) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 },
  );
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const pausedAtMs = performance.now();
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  expect(performance.now() - pausedAtMs).toBeLessThan(1_000 + scanMs / 2);
});

test('due deliveries without a notification of the owner are found', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  await addEvents(system.db, { workspaceId, id }, 3);
  await eventually(() => expect(receiver.requests).toHaveLength(3));
});

test('a backlog continues after a change of its webhook during an attempt', async () => {
  let waitedMs = 0;
  const passes = 8;
  for (let pass = 0; pass < passes; pass += 1) {
    const answering = Promise.withResolvers<{ status: number }>();
    await using receiver = await startReceiver((_request, index) =>
      index === 0 ? answering.promise : { status: 200 },
    );
    const workspaceId = randomUUID();
    const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
    await system.raise([completed({ workspaceId }), completed({ workspaceId })]);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await system.client.rotateSigningSecret({ workspaceId, id, overlapSeconds: 0 }, call);
    const answeredAtMs = performance.now();
    answering.resolve({ status: 200 });
    await eventually(() => expect(receiver.requests).toHaveLength(2));
    waitedMs += performance.now() - answeredAtMs;
  }
  // Scans alone find it after half of their interval on average.
  expect(waitedMs).toBeLessThan((passes * scanMs) / 4);
});
