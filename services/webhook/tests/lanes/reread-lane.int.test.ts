import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lanes } from '../../src/dispatch/lanes.ts';
import { capacity, isUndelayedSince, type Lane, settle, startAttempt } from '../../src/scheduling/lane.ts';
import { activateWebhook } from '../../src/webhooks/store.ts';
import {
  addHook,
  createStore,
  type Hook,
  ownAll,
  pauseFor,
  refused,
  result,
  type Store,
  setOptions,
} from './lanes.ts';

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const hour = 3_600_000;
const failed = { next: { state: 'retry', delayMs: hour }, isProbe: false } as const;

/** Returns the lanes of a new owner of all shards. */
async function ownLanes({ db }: Store): Promise<Lanes> {
  const { replicaId, epochOf } = await ownAll(db);
  const ownership = { replicaId, of: (id: string) => ({ epoch: epochOf(id), seizedAtMs: null }) };
  return new Lanes({ db, clock: { nowMs: Date.now, read: () => {} }, ownership, onClose: () => {} });
}

async function read(lanes: Lanes, { id }: Hook): Promise<Lane> {
  const [lane] = await lanes.get([id]);
  if (!lane) throw new Error('the webhook has no lane');
  return lane;
}

test.each([
  ['failures', (lane: Lane, nowMs: number) => void settle(lane, refused, { ...failed, nowMs })],
  [
    'a pause',
    (lane: Lane, nowMs: number) =>
      void settle(lane, result({ status: 429 }), { ...pauseFor(hour), isProbe: false, nowMs }),
  ],
])('an activation does not make free what %s held back before', async (_, hold) => {
  const { db } = store;
  const hook = await addHook(db);
  const lanes = await ownLanes(store);
  const lane = await read(lanes, hook);
  const delayedAtMs = Date.now();
  hold(lane, delayedAtMs);
  await activateWebhook(db, hook);
  lane.isStale = true;
  const again = await read(lanes, hook);
  expect(isUndelayedSince(again, delayedAtMs - 1)).toBe(false);
  expect(isUndelayedSince(again, Date.now())).toBe(true);
});

test('a token that was taken before a change by a call stays taken for the next owner', async () => {
  const { db } = store;
  const hook = await addHook(db, { ratePerSecond: 0.001, rateBurst: 1 });
  const lanes = await ownLanes(store);
  startAttempt(await read(lanes, hook), Date.now());
  await setOptions(db, hook, { headers: 'x' });
  expect(await lanes.save()).toBe(false);
  (await read(lanes, hook)).inFlight = 0;
  expect(await lanes.close(() => true)).toBe(true);
  expect(capacity(await read(await ownLanes(store), hook), Date.now())).toBe(0);
});
