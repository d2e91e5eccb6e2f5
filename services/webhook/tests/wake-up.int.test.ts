import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDue } from '../src/delivering/claim-store.ts';
import { addHook, allFree, createStore } from './lanes.ts';
import { completed, type System, startSystem } from './system.ts';

// What becomes due by itself is sent then, not when somebody happens to look.

let system: System;
let receiver: Receiver;
beforeAll(async () => {
  system = await startSystem();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

test('a claim tells when the next lane becomes ready, by the clock of the database', async () => {
  await using store = await createStore();
  const ask = async () => {
    const { againInMs } = await claimDue(store.db, { leaseToken: randomUUID(), ...allFree });
    return againInMs;
  };
  expect(await ask()).toBe(null);
  const after = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  await addHook(store.db, { isPrompt: true, readyAt: after(50) });
  await addHook(store.db, { isPrompt: false, readyAt: after(20) });
  await addHook(store.db, { isPrompt: false, readyAt: after(30) });
  const soonest = await ask();
  expect(soonest).toBeGreaterThan(10_000);
  expect(soonest).toBeLessThanOrEqual(20_000);
});

test('a claim waits for no lane that nothing but a result makes ready', async () => {
  await using store = await createStore();
  const { workspaceId } = await addHook(store.db, {});
  await sql`update lane set ready_at = 'infinity' where workspace_id = ${workspaceId}`.execute(store.db);
  const found = await claimDue(store.db, { leaseToken: randomUUID(), ...allFree });
  expect(found).toEqual({ deliveries: [], isMore: false, againInMs: null, lanesSeen: 0, lapsed: [] });
});

test('a webhook that takes 20 a second gets them at that rate', async () => {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  await system.db
    .updateTable('lane')
    .set({ ratePerSecond: 20, rateBurst: 1 })
    .where('webhookId', '=', id)
    .execute();
  const before = receiver.requests.length;
  const start = performance.now();
  await system.raise(Array.from({ length: 40 }, () => completed({ workspaceId })));
  await eventually(() => expect(receiver.requests).toHaveLength(before + 40), { timeoutMs: 20_000 });
  const ms = performance.now() - start;
  // The first token is there, and 39 come after it.
  expect(ms).toBeGreaterThan(1_900);
  // Who looked by itself twice a second would need twenty.
  expect(ms).toBeLessThan(15_000);
});
