import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeEvents } from '../src/intake/event-store.ts';
import { addEvents, type Hook, incoming, setLane } from './lanes.ts';
import { holdLane, somebodyWaits } from './locks.ts';
import { type System, startSystem } from './system.ts';

// Results that cannot be recorded for now, since somebody else has the lane of one of them, and what goes on meanwhile.

let system: System;
let session: SqlSession;
let receiver: Receiver;
/** Lets the deliveries be answered that go to `/held`. */
let answer: () => void;
beforeEach(async () => {
  system = await startSystem({ totalTimeoutMs: 100_000, leaseMs: 120_000 });
  session = await openSqlSession(system.adminUrl);
  const answering = Promise.withResolvers<{ status: number }>();
  answer = () => answering.resolve({ status: 200 });
  const numbers = new Map<string, number>();
  receiver = await startReceiver(({ url }) => {
    if (url.startsWith('/held')) return answering.promise;
    const number = (numbers.get(url) ?? 0) + 1;
    numbers.set(url, number);
    // Of those that are busy every fourth fails, so they are not taken for prompt.
    return { status: url.startsWith('/busy') && number % 4 === 0 ? 500 : 200 };
  });
});
afterEach(async () => {
  await session[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** A webhook of a workspace of its own, whose deliveries go to this path. */
async function addHookAt(path: string): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: new URL(path, receiver.url).href });
  return { workspaceId, id };
}

const requestsAt = (path: string) => receiver.requests.filter(({ url }) => url.startsWith(path));

/** One delivery is under way, and is answered when its lane is somebody else's: whoever records it waits from then on. */
async function blockResults(hook: Hook): Promise<void> {
  await holdLane(session, hook);
  answer();
  await somebodyWaits(session);
}

/** Sees that an event of each of these webhooks is sent while one and the same statement waits. */
async function sendsMeanwhile(hooks: readonly Hook[], path: string): Promise<void> {
  const waiting = await somebodyWaits(session);
  await takeEvents(system.db, hooks.map(incoming));
  await eventually(() => expect(requestsAt(path)).toHaveLength(hooks.length));
  expect(await somebodyWaits(session)).toEqual(waiting);
}

/** Webhooks that have all the slots that there are for those that are not prompt, and results without end. */
async function keepBusy(): Promise<void> {
  const hooks = await Promise.all(Array.from({ length: 9 }, (_, n) => addHookAt(`/busy/${n}`)));
  for (const hook of hooks) await setLane(system.db, hook, { isPrompt: false, inFlightMax: 32 });
  for (const hook of hooks) await addEvents(system.db, hook, 500);
  await eventually(() => expect(requestsAt('/busy').length).toBeGreaterThan(1_500));
}

/** One that has a delivery under way. */
async function addHeld(): Promise<Hook> {
  const hook = await addHookAt('/held');
  await addEvents(system.db, hook, 1);
  await eventually(() => expect(requestsAt('/held')).toHaveLength(1));
  return hook;
}

const addOthers = (number: number): Promise<Hook[]> =>
  Promise.all(Array.from({ length: number }, () => addHookAt('/other')));

test('while a result waits for a lane that somebody else has, other webhooks are served', async () => {
  const [held, others] = [await addHeld(), await addOthers(10)];
  await blockResults(held);
  await sendsMeanwhile(others, '/other');
});

test.each([
  ['while results come so fast that slots are gathered', 10],
  ['as long as any slot is free', 100],
])('a result that waits for its lane holds up no other webhook %s', async (_, number) => {
  const [held, others] = [await addHeld(), await addOthers(number)];
  await keepBusy();
  await blockResults(held);
  await sendsMeanwhile(others, '/other');
});
