import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lanes } from '../src/delivering/lanes.ts';
import { isFreeSince, type Lane, settle } from '../src/rules/lane.ts';
import { activateWebhook } from '../src/webhooks/store.ts';
import { addHook, createStore, pauseFor, refused, result, type Store } from './lanes.ts';

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const hour = 3_600_000;
const failed = { verdict: { state: 'retry', delayMs: hour }, isProbe: false } as const;

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
  const ownership = { replicaId: 'r', of: () => ({ epoch: 1, seizedAtMs: null }) };
  const lanes = new Lanes({ db, clock: { nowMs: Date.now, read: () => {} }, ownership, onClose: () => {} });
  const read = async (): Promise<Lane> => {
    const [lane] = await lanes.get([hook.id]);
    if (!lane) throw new Error('the webhook has no lane');
    return lane;
  };
  const lane = await read();
  const heldAtMs = Date.now();
  hold(lane, heldAtMs);
  await activateWebhook(db, hook);
  lane.isStale = true;
  const again = await read();
  expect(isFreeSince(again, heldAtMs - 1)).toBe(false);
  expect(isFreeSince(again, Date.now())).toBe(true);
});
