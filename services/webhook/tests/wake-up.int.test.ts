import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEvents } from './lanes.ts';
import { call, completed, type System, startSystem } from './system.ts';

// Deliveries that become due are sent then, not at the owner's next scan.

/** The interval of the owner's scan for due deliveries. */
const scanMs = 2_000;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

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
  expect((atMs[3] ?? 0) - (atMs[0] ?? 0)).toBeLessThan(scanMs / 2);
});

test('a webhook limited to 20 a second gets 20 a second', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const rateLimit = { rateLimit: { perSecond: 20, burst: 1 } };
  await system.deliveries.updateWebhookOptions({ workspaceId, id, headers: null, rateLimit }, call);
  const startedAtMs = performance.now();
  await system.raise(Array.from({ length: 40 }, () => completed({ workspaceId })));
  await eventually(() => expect(receiver.requests).toHaveLength(40));
  const ms = performance.now() - startedAtMs;
  // The first token is available, and 39 follow.
  expect(ms).toBeGreaterThan(1_900);
  expect(ms).toBeLessThan(4 * scanMs);
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
  await eventually(() => expect(receiver.requests).toHaveLength(3), { timeoutMs: 3 * scanMs });
});

test('a backlog continues after a change of its webhook during an attempt', async () => {
  let waitedMs = 0;
  const rounds = 8;
  for (let round = 0; round < rounds; round += 1) {
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
  expect(waitedMs).toBeLessThan((rounds * scanMs) / 4);
});
