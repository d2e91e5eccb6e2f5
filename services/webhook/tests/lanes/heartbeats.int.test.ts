import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assign, beat, removeReplica } from '../../src/ownership/shard-store.ts';
import { createStore, type Store } from './lanes.ts';

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const minute = 60_000;
const unknown = Number.NEGATIVE_INFINITY;
const beats = (replicaId: string, nowMs: number) => beat(store.db, replicaId, { isLeaving: false, nowMs });

test('after a database clock was set back, a new replica continues the latest time of the others', async () => {
  const { databaseMs } = await beats(randomUUID(), unknown);
  const shownMs = Math.round(databaseMs) + 5 * minute;
  expect((await beats(randomUUID(), shownMs)).databaseMs).toBe(shownMs);
  expect((await beats(randomUUID(), unknown)).databaseMs).toBe(shownMs);
  const farMs = databaseMs + 11 * minute;
  expect((await beats(randomUUID(), farMs)).databaseMs).toBe(shownMs);
});

test('a shard keeps the time of its last seizure through later changes of owner', async () => {
  const { db } = store;
  const [dead, heir, next] = [randomUUID(), randomUUID(), randomUUID()];
  await beats(dead, unknown);
  const { shards } = await beats(dead, unknown);
  const first = shards.slice(0, 1);
  const given = await assign(db, first, { owner: dead, from: dead, nowMs: 1_000 });
  expect(given).toMatchObject([{ epoch: 1, seizedAtMs: null }]);
  await removeReplica(db, dead, null);
  const seized = await assign(db, given, { owner: heir, from: heir, nowMs: 2_000 });
  expect(seized).toMatchObject([{ epoch: 2, seizedAtMs: 2_000 }]);
  const handedOver = await assign(db, seized, { owner: next, from: heir, nowMs: 3_000 });
  expect(handedOver).toMatchObject([{ owner: next, epoch: 3, seizedAtMs: 2_000 }]);
});
