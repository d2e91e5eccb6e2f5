import { withPartitions } from '@parley/postgres/schema/partitions';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim, readDue } from '../../src/dispatch/due-store.ts';
import { claimFlights } from '../../src/dispatch/flights.ts';
import { loadLanes, type SavedLane, saveLanes, scanLanes } from '../../src/dispatch/lane-store.ts';
import { recordOutcomes } from '../../src/dispatch/record-store.ts';
import { replaceBodies } from '../../src/intake/event-store.ts';
import { partitioned } from '../../src/deliveries/partitions.ts';
import { releaseClaims, removeReplica } from '../../src/ownership/shard-store.ts';
import { openLane } from '../../src/scheduling/lane.ts';
import { activateWebhook, deactivateWebhook, resetLane } from '../../src/webhooks/store.ts';
import {
  addEvents,
  addHook,
  createStore,
  due,
  type Hook,
  laneOf,
  type Owner,
  outcome,
  ownAll,
  pauseFor,
  type Read,
  recordAll,
  refused,
  result,
  retryIn,
  type Store,
} from './lanes.ts';
import { lockLane, oneWaits } from './locks.ts';
import { finishedOf, openOf } from './ordered.ts';

// The reads and writes of an owner: which ones the database accepts, and which it rejects.

let store: Store;
let session: SqlConnection;
beforeAll(async () => {
  store = await createStore();
  session = await openSqlConnection(store.adminUrl);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const none = new Set<string>();
const gone = { next: { state: 'failed' as const, isGone: true } };

/** Adds a webhook with this many deliveries, and returns them as its owner reads them. */
async function addRead(number: number): Promise<{ hook: Hook; owner: Owner; read: Read[] }> {
  const { db } = store;
  const [hook, owner] = [await addHook(db), await ownAll(db)];
  await addEvents(db, hook, number);
  const read = await due(db, [hook]);
  expect(read).toHaveLength(number);
  return { hook, owner, read };
}

async function deactivate({ workspaceId, id }: Hook): Promise<void> {
  await deactivateWebhook(store.db, { workspaceId, id });
}

const attemptsOf = (hook: Hook) =>
  store.db
    .selectFrom('everyAttempt')
    .where('workspaceId', '=', hook.workspaceId)
    .orderBy('recordedAt')
    .selectAll()
    .execute();

test('any replica can record a success; only the owner can record a failure', async () => {
  const { db } = store;
  const { hook, owner: former, read } = await addRead(2);
  const owner = await ownAll(db);
  expect(await recordAll(db, former, read.slice(0, 1))).toEqual(none);
  const failed = read.slice(1);
  expect(await recordAll(db, former, failed, refused)).toEqual(new Set(failed.map(({ id }) => id)));
  expect(await openOf(db, hook)).toMatchObject([{ id: failed[0]?.id, attempts: 0 }]);
  expect(await recordAll(db, owner, failed, refused)).toEqual(none);
  expect(await openOf(db, hook)).toMatchObject([{ id: failed[0]?.id, attempts: 1 }]);
  expect(await finishedOf(db, hook)).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

test('a failure from a former owner does not hide one from the current owner', async () => {
  const { db } = store;
  const { hook, owner: former, read } = await addRead(2);
  const owner = await ownAll(db);
  const [mine, late] = [read.slice(0, 1), read.slice(1)];
  const outcomes = [
    ...late.map((one) => outcome(owner, one, refused, { epoch: former.epochOf(hook.id) })),
    ...mine.map((one) => outcome(owner, one, refused)),
  ];
  expect(await recordOutcomes(db, owner.replicaId, outcomes)).toEqual(new Set(late.map(({ id }) => id)));
  expect(new Set((await openOf(db, hook)).map(({ attempts }) => attempts))).toEqual(new Set([0, 1]));
});

test('a claimed delivery stays claimed when its lane changes its owner, and its failure is recorded once', async () => {
  const { db } = store;
  const { hook, owner: former, read } = await addRead(1);
  await claim(db, former.replicaId, read);
  const owner = await ownAll(db);
  expect(await due(db, [hook])).toEqual([]);
  expect(await recordAll(db, former, read, refused)).toEqual(none);
  expect(await openOf(db, hook)).toMatchObject([{ attempts: 1, claimedBy: null }]);
  expect(await recordAll(db, former, read, refused)).toEqual(new Set(read.map(({ id }) => id)));
  expect(await openOf(db, hook)).toMatchObject([{ attempts: 1 }]);
  expect(await recordAll(db, owner, read)).toEqual(none);
});

test('a delivery that a dead replica had claimed is due again, and its failure is not recorded', async () => {
  const { db } = store;
  const { hook, owner: dead, read } = await addRead(1);
  await claim(db, dead.replicaId, read);
  const [counted] = await session.query<{ heartbeats: number }>(
    'select heartbeats from webhook.replica where id = $1',
    [dead.replicaId],
  );
  await ownAll(db);
  // It has shown a heartbeat since it was declared dead.
  const heartbeats = counted?.heartbeats ?? 0;
  await removeReplica(db, dead.replicaId, heartbeats - 1);
  await releaseClaims(db);
  expect(await due(db, [hook])).toEqual([]);
  await removeReplica(db, dead.replicaId, heartbeats);
  await releaseClaims(db);
  expect(await due(db, [hook])).toMatchObject([{ id: read[0]?.id, attempt: 1 }]);
  expect(await recordAll(db, dead, read, refused)).toEqual(new Set(read.map(({ id }) => id)));
});

test('a replica that has lost a lane cannot claim its deliveries', async () => {
  const { db } = store;
  const { hook, owner: former, read } = await addRead(1);
  await ownAll(db);
  await claim(db, former.replicaId, read);
  expect(await openOf(db, hook)).toMatchObject([{ claimedBy: null }]);
});

test('a failed claim is retried', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(1);
  const [stored] = await loadLanes(db, [hook.id]);
  if (!stored) throw new Error('there is no such lane');
  const lane = openLane({ ...stored, bucket: null, epoch: owner.epochOf(hook.id) }, Date.now());
  const flight = { lane, startedAtMs: 0, isOver: false, isClaimed: false, attempt: Promise.resolve() };
  const claiming = () =>
    claimFlights(db, owner.replicaId, new Map([[read[0]?.id ?? '', flight]]), () => true);
  await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$;
    create trigger refuse before update of claimed_by on webhook.open_delivery
      for each row execute function webhook.refuse()`);
  await expect(claiming()).rejects.toThrow('refused by a test');
  await session.query('drop trigger refuse on webhook.open_delivery');
  await claiming();
  expect(await openOf(db, hook)).toMatchObject([{ claimedBy: owner.replicaId }]);
});

test('a delivery is recorded once, also when several replicas record it at the same time', async () => {
  const { db } = store;
  const { hook, owner: former, read } = await addRead(20);
  const owner = await ownAll(db);
  const late = await Promise.all([recordAll(db, owner, read), recordAll(db, former, read.toReversed())]);
  expect(late.reduce((sum, { size }) => sum + size, 0)).toBe(20);
  const finished = await finishedOf(db, hook);
  expect(finished.map(({ id }) => id)).toEqual(read.map(({ id }) => id).toSorted());
  expect(new Set(finished.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  expect(await openOf(db, hook)).toEqual([]);
});

const lock = (id: string) =>
  session.query('select id from webhook.open_delivery where id = $1 for update nowait', [id]);

test('deliveries are locked in the order of their ids, so batches cannot deadlock', async () => {
  const { hook, owner } = await addRead(2);
  const [first, last] = (await due(store.db, [hook])).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (!first || !last) throw new Error('there are no deliveries');
  await session.query('begin');
  await lock(first.id);
  const outcomes = [outcome(owner, last), outcome(owner, first, refused)];
  const recording = recordOutcomes(store.db, owner.replicaId, outcomes);
  await oneWaits(session);
  await lock(last.id);
  await session.query('commit');
  await recording;
});

test('a delivery whose row is locked is returned and not claimed, and the others are claimed without waiting', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(2);
  const [locked, other] = read;
  if (!locked || !other) throw new Error('there are no deliveries');
  await session.query('begin');
  await lock(locked.id);
  expect(await claim(db, owner.replicaId, read)).toEqual([locked.id]);
  await session.query('commit');
  expect(await due(db, [hook])).toMatchObject([{ id: locked.id }]);
  expect(await claim(db, owner.replicaId, read)).toEqual([]);
  expect(await due(db, [hook])).toEqual([]);
});

test('a batch that is recorded twice, after a lost answer, has no further effect', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(2);
  const batch = async () => [
    await recordAll(db, owner, read.slice(0, 1), refused),
    await recordAll(db, owner, read.slice(1)),
  ];
  await batch();
  const before = [await openOf(db, hook), await finishedOf(db, hook), await attemptsOf(hook)];
  expect(await batch()).toEqual(read.map(({ id }) => new Set([id])));
  expect([await openOf(db, hook), await finishedOf(db, hook), await attemptsOf(hook)]).toEqual(before);
});

test('a 410 to a delivery that ended with its webhook keeps deliveries after the next activation', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(1);
  await deactivate(hook);
  const activated = await activateWebhook(db, { ...hook, version: 2 });
  expect(activated?.isActive).toBe(true);
  await addEvents(db, hook, 2);
  await recordAll(db, owner, read, result({ status: 410, error: 'http_410' }), {
    next: { state: 'failed', isGone: true },
  });
  expect(await due(db, [hook])).toHaveLength(2);
});

test('an unsent delivery is due again, without an attempt', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(1);
  await recordAll(db, owner, read, null, retryIn(0));
  expect(await due(db, [hook])).toMatchObject([{ id: read[0]?.id, attempt: 1 }]);
  expect(await attemptsOf(hook)).toEqual([]);
});

test('an answer to a redacted event is not stored, whether its delivery continues, ends or has ended', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(4);
  const excerpt = Buffer.from('dear c-1');
  const [failed = [], succeeded = [], later = [], other = []] = read.map((one) => [one]);
  const bodies = [...failed, ...succeeded, ...later].map(({ eventId }) => ({
    id: eventId,
    interaction: Buffer.from('{}'),
    result: Buffer.from('{"redacted":true}'),
  }));
  const customer = { workspaceId: hook.workspaceId, customerVersion: 1 };
  await replaceBodies(db, customer, bodies);
  await recordAll(db, owner, failed, result({ ...refused, excerpt }));
  await recordAll(db, owner, [...succeeded, ...other], result({ excerpt }));
  await deactivate(hook);
  await recordAll(db, owner, later, result({ excerpt }));
  const kept = (await attemptsOf(hook)).map((one) => [one.deliveryId, one.responseExcerpt]);
  expect(new Map(kept as [string, Buffer | null][])).toEqual(
    new Map([
      ...[...failed, ...succeeded, ...later].map(({ id }) => [id, null] as const),
      ...other.map(({ id }) => [id, excerpt] as const),
    ]),
  );
});

test('a missing partition is created, and the results are recorded', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(2);
  const dropAll = async (): Promise<void> => {
    const partitions = await session.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent in ('webhook.finished_delivery'::regclass, 'webhook.attempt'::regclass)`,
    );
    for (const { name } of partitions) await session.query(`drop table ${name}`);
  };
  for (const [one, of] of [
    [read.slice(0, 1), result()],
    [read.slice(1), refused],
  ] as const) {
    await dropAll();
    expect(await withPartitions(db, partitioned, () => recordAll(db, owner, one, of))).toEqual(none);
  }
  expect(await openOf(db, hook)).toMatchObject([{ attempts: 1 }]);
  expect(await attemptsOf(hook)).toMatchObject([{ status: 500 }]);
});

test('an attempt that ends after its webhook was deactivated is added to the log once; a success counts', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(3);
  const [failed = [], succeeded = [], paused = []] = read.map((one) => [one]);
  await deactivate(hook);
  const states = async () =>
    new Map((await finishedOf(db, hook)).map(({ id, state, attempts }) => [id, [state, attempts]]));
  const expected = new Map([
    [failed[0]?.id, ['skipped', 1]],
    [succeeded[0]?.id, ['succeeded', 1]],
    [paused[0]?.id, ['skipped', 0]],
  ]);
  const record = async (): Promise<void> => {
    for (const one of [failed, succeeded]) {
      const of = one === failed ? refused : result();
      expect(await recordAll(db, owner, one, of)).toEqual(new Set(one.map(({ id }) => id)));
    }
    await recordAll(db, owner, paused, result({ status: 429, error: 'http_429' }), pauseFor(60_000));
    expect(await states()).toEqual(expected);
  };
  await record();
  await record();
  expect(await attemptsOf(hook)).toHaveLength(2);
});

test('410 deactivates the webhook and skips its other open deliveries', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(3);
  const answer = result({ status: 410, error: 'http_410' });
  expect(await recordAll(db, owner, read.slice(0, 1), answer, gone)).toEqual(none);
  const states = (await finishedOf(db, hook)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['failed', 'skipped', 'skipped']);
  const webhook = db
    .selectFrom('webhook')
    .where('workspaceId', '=', hook.workspaceId)
    .select(['isActive', 'inactiveReason', 'listeningSince', 'version']);
  const deactivated = { isActive: false, inactiveReason: 'gone', listeningSince: null, version: 2 };
  expect(await webhook.execute()).toEqual([deactivated]);
  await recordAll(db, owner, read.slice(1), answer, gone);
  expect(await webhook.execute()).toEqual([deactivated]);
});

test('the log keeps the last ten pauses of a delivery, and all its attempts', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(2);
  const busy = result({ status: 429, error: 'http_429' });
  const [many, one] = [read.slice(0, 1), read.slice(1)];
  await recordAll(db, owner, one, busy, pauseFor(1_000));
  await recordAll(db, owner, many, refused);
  const next = many.map((one) => ({ ...one, attempt: 2 }));
  for (let time = 1; time <= 13; time += 1) await recordAll(db, owner, next, busy, pauseFor(time));
  const logged = await attemptsOf(hook);
  const ofMany = logged.filter(({ deliveryId }) => deliveryId === many[0]?.id);
  expect(ofMany.map(({ pauseMs }) => pauseMs)).toEqual([null, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(new Set(ofMany.map(({ number }) => number))).toEqual(new Set([1, 2]));
  expect(logged).toHaveLength(12);
});

test('due deliveries are read oldest first, without those in flight, claimed or not due yet', async () => {
  const { db } = store;
  const { hook, owner, read } = await addRead(5);
  const [first, second, , fourth, fifth] = read.map(({ id }) => id);
  await recordAll(db, owner, read.slice(0, 1), refused, retryIn(3_600_000));
  await recordAll(db, owner, read.slice(1, 2), refused, retryIn(0));
  await claim(db, owner.replicaId, read.slice(2, 3));
  const nowMs = Date.now() + 1_000;
  const readIds = async (number: number, inFlight: string[], byMs = nowMs) => {
    const found = await readDue(db, [{ webhookId: hook.id, number }], { nowMs: byMs, inFlight });
    return found.map(({ id }) => id);
  };
  expect(await readIds(9, [])).toEqual([fourth, fifth, second]);
  expect(await readIds(1, [])).toEqual([fourth]);
  expect(await readIds(9, [fourth ?? '', second ?? ''])).toEqual([fifth]);
  // The owner's clock continues when the database's is set back.
  expect(await readIds(9, [], nowMs + 3_600_000)).toEqual([fourth, fifth, second, first]);
});

/** The state of a webhook's lane, as its owner saves it: its breaker has opened once. */
async function opened(hook: Hook, owner: Owner): Promise<SavedLane> {
  const [stored] = await loadLanes(store.db, [hook.id]);
  if (!stored) throw new Error('there is no such lane');
  const nowMs = Date.now();
  const lane = openLane({ ...stored, bucket: null, epoch: owner.epochOf(hook.id) }, nowMs);
  const tally = { hourMs: nowMs - (nowMs % 3_600_000), attempts: 10, failures: 7, totalMs: 50, maxMs: 9 };
  const state = { openings: 1, pausedUntilMs: nowMs + 30_000, failingSinceMs: nowMs };
  return { ...lane, ...state, tallies: [tally] };
}

test('only the owner saves a lane, unless it has changed, and its statistics in any case', async () => {
  const { db } = store;
  const former = await ownAll(db);
  const [hook, other] = [await addHook(db), await addHook(db)];
  const owner = await ownAll(db);
  const openings = async () => (await laneOf(db, hook)).openings;
  const saved = async (replica: Owner, ...lanes: SavedLane[]) =>
    Object.fromEntries(await saveLanes(db, replica.replicaId, lanes));
  const old = await opened(hook, former);
  expect(await saved(owner, old, await opened(other, owner))).toEqual({ [hook.id]: false, [other.id]: true });
  expect(await saved(former, old)).toEqual({ [hook.id]: false });
  expect(await openings()).toBe(0);

  const before = await opened(hook, owner);
  await resetLane(db, { workspaceId: hook.workspaceId, webhookId: hook.id });
  expect(await saved(owner, before)).toEqual({ [hook.id]: false });
  expect(await openings()).toBe(0);

  // No lane waits for another.
  const current = await opened(hook, owner);
  await lockLane(session, hook);
  expect(await saved(owner, current, await opened(other, owner))).toEqual({ [other.id]: true });
  await session.query('commit');
  expect(await saved(owner, current)).toEqual({ [hook.id]: true });
  expect(await laneOf(db, hook)).toMatchObject({
    openings: 1,
    pausedUntil: new Date(current.pausedUntilMs ?? 0),
    failingSince: new Date(current.failingSinceMs ?? 0),
  });
  const hours = db
    .selectFrom('laneHour')
    .where('workspaceId', '=', hook.workspaceId)
    .select(['attempts', 'failures', 'totalMs', 'maxMs']);
  const [hour, next] = await hours.execute();
  const attempts = (hour?.attempts ?? 0) + (next?.attempts ?? 0);
  expect(attempts).toBe(50);
  expect(hour?.maxMs).toBe(9);
});

test('a scan finds each lane once, by its earliest unclaimed delivery', async () => {
  const { db } = store;
  const owner = await ownAll(db);
  const [hook, claimed, empty] = [await addHook(db), await addHook(db), await addHook(db)];
  await addEvents(db, hook, 3);
  await addEvents(db, claimed, 1);
  const read = await due(db, [hook]);
  await recordAll(db, owner, read.slice(0, 1), refused, retryIn(-60_000));
  await recordAll(db, owner, read.slice(1, 2), refused, retryIn(-3_600_000));
  await claim(db, owner.replicaId, [...read.slice(1, 2), ...(await due(db, [claimed]))]);
  const ids = new Set([hook.id, claimed.id, empty.id]);
  const scan = async () => (await scanLanes(db)).filter(({ webhookId }) => ids.has(webhookId));
  const [found, ...more] = await scan();
  expect(more).toEqual([]);
  expect(found).toMatchObject({ webhookId: hook.id, isActive: true, openings: 0 });
  expect(Math.abs(Date.now() - 60_000 - (found?.dueAtMs ?? 0))).toBeLessThan(20_000);
  await removeReplica(db, owner.replicaId, null);
  await releaseClaims(db);
  expect(new Set((await scan()).map(({ webhookId }) => webhookId))).toEqual(new Set([hook.id, claimed.id]));
});
