import { eventually } from '@parley/testing/eventually';
import { openSqlSession } from '@parley/testing/sql';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOpen, finishAbandoned } from '../src/delivering/end-store.ts';
import { breakerStep } from '../src/delivering/lane-health.ts';
import { moveBreaker, readBacklog } from '../src/delivering/lane-store.ts';
import { settle } from '../src/delivering/settle-store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  endLeases,
  type Hook,
  laneOf,
  outcome,
  pauseFor,
  refused,
  result,
  retryIn,
  type Store,
  setLane,
  setOptions,
  settleAll,
  unanswered,
} from './lanes.ts';
import { holdLane, somebodyWaits } from './locks.ts';

// What a result makes of a delivery and of its lane.

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const deliveriesOf = ({ workspaceId, id }: Hook) =>
  store.db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .orderBy('id')
    .select(['state', 'attempts', 'leaseToken'])
    .execute();

const openOf = ({ workspaceId, id }: Hook) =>
  store.db
    .selectFrom('openDelivery')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .select('id')
    .execute();

/** Lets that much time pass for a lane. */
const pass = ({ workspaceId, id }: Hook, interval: string) =>
  sql`
    update lane set ready_at = ready_at - ${interval}::interval, paused_until = paused_until - ${interval}::interval,
      window_started_at = window_started_at - ${interval}::interval,
      failing_since = failing_since - ${interval}::interval, failing_again_at = failing_again_at - ${interval}::interval
    where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(store.db);

test('what is settled is open no more, and its attempt is kept with its latency and the beginning of the answer', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const claimed = await claim(db);
  const latency = { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4 };
  await settleAll(db, claimed, result({ latency, excerpt: Buffer.from('thanks') }));
  expect(await openOf(hook)).toEqual([]);
  expect(await deliveriesOf(hook)).toEqual([{ state: 'succeeded', attempts: 1, leaseToken: null }]);
  const attempts = db.selectFrom('everyAttempt').where('workspaceId', '=', hook.workspaceId).selectAll();
  expect(await attempts.execute()).toMatchObject([
    { number: 1, status: 200, error: null, ...latency, responseExcerpt: Buffer.from('thanks') },
  ]);
});

test('a pause that the receiver wants holds the whole webhook, costs no attempt, and ends', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 4);
  const claimed = await claim(db);
  const [busy, ...others] = claimed;
  if (!busy) throw new Error('nothing was due');
  await settle(db, [outcome(busy, result({ status: 429, error: 'http_429' }), pauseFor(60_000))]);
  await settleAll(db, others, refused, retryIn(0));
  expect(await claim(db)).toEqual([]);
  await addEvents(db, hook, 1);
  expect(await claim(db)).toEqual([]);
  const counted = { windowAttempts: 3, windowFailures: 3, pauseReason: 'rate_limited' };
  expect(await laneOf(db, hook)).toMatchObject(counted);
  const spent = (await deliveriesOf(hook)).map(({ attempts }) => attempts);
  expect(spent.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1, 1]);
  await pass(hook, '61 seconds');
  await setLane(db, hook, { inFlightMax: 32 });
  const again = await claim(db);
  const numbers = again.map(({ attempt }) => attempt);
  // The one that was told to wait has a time of its own.
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 2, 2]);
  await settleAll(db, again);
});

test('of the answers that pause a webhook a delivery keeps the newest ten, beside its attempts', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const next = async () => {
    await setLane(db, hook, { pausedUntil: null, readyAt: new Date(0) });
    await sql`update open_delivery set due_at = now() where workspace_id = ${hook.workspaceId}`.execute(db);
    const [delivery] = await claim(db);
    if (!delivery) throw new Error('nothing was due');
    return delivery;
  };
  const pause = async (excerpt: string): Promise<void> => {
    const busy = result({ status: 503, error: 'http_503', excerpt: Buffer.from(excerpt) });
    await settle(db, [outcome(await next(), busy, pauseFor(60_000))]);
  };
  for (let number = 1; number <= 3; number += 1) await pause(`first ${number}`);
  await settle(db, [outcome(await next(), refused, retryIn(0))]);
  for (let number = 1; number <= 9; number += 1) await pause(`second ${number}`);
  await settle(db, [outcome(await next())]);
  const attempts = await db
    .selectFrom('everyAttempt')
    .where('workspaceId', '=', hook.workspaceId)
    .orderBy('number')
    .orderBy('recordedAt')
    .select(['number', 'status', 'pauseMs', 'responseExcerpt'])
    .execute();
  const paused = (number: number, text: string) => ({
    number,
    status: 503,
    pauseMs: 60_000,
    responseExcerpt: Buffer.from(text),
  });
  const counted = { pauseMs: null, responseExcerpt: null };
  expect(attempts).toEqual([
    paused(1, 'first 3'),
    { number: 1, status: 500, ...counted },
    ...Array.from({ length: 9 }, (_, index) => paused(2, `second ${index + 1}`)),
    { number: 2, status: 200, ...counted },
  ]);
  expect(await deliveriesOf(hook)).toEqual([{ state: 'succeeded', attempts: 2, leaseToken: null }]);
});

test('a webhook that is switched off while its receiver asks for a pause keeps that answer in the log', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const [delivery] = await claim(db);
  if (!delivery) throw new Error('nothing was due');
  await endOpenOf(hook);
  await settle(db, [outcome(delivery, result({ status: 429, error: 'http_429' }), pauseFor(60_000))]);
  expect(await deliveriesOf(hook)).toEqual([{ state: 'skipped', attempts: 0, leaseToken: null }]);
  const attempts = db.selectFrom('everyAttempt').where('workspaceId', '=', hook.workspaceId).selectAll();
  expect(await attempts.execute()).toMatchObject([{ number: 1, status: 429, pauseMs: 60_000 }]);
});

test('a fault of ours is no attempt and is not counted', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 2);
  const before = await laneOf(db, hook);
  const [first, second] = await claim(db);
  if (!first || !second) throw new Error('too little was due');
  const faults = [first, second].map((one) => ({ ...outcome(one, refused), result: null }));
  await settle(db, faults);
  expect((await deliveriesOf(hook)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  const { windowAttempts, unanswered: silent, inFlightMax, failingSince, isPrompt } = before;
  expect(await laneOf(db, hook)).toMatchObject({
    windowAttempts,
    unanswered: silent,
    inFlightMax,
    failingSince,
    isPrompt,
  });
});

test('how many may be under way grows with each success, halves with each batch that one did not answer in, 1 to 32', async () => {
  const { db } = store;
  const kinds = { success: result(), refused, unanswered, slow: result({ durationMs: 5_000 }) };
  const batch = fc.array(fc.constantFrom('success', 'refused', 'unanswered', 'slow' as const), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 8 }), async (batches) => {
      const hook = await addHook(db);
      const model = { inFlightMax: 4, unanswered: 0, windowAttempts: 0, windowFailures: 0, isPrompt: false };
      for (const results of batches) {
        // Room for all of them: what is tested is the count, not the limit.
        await setLane(db, hook, { inFlightMax: 32 });
        await addEvents(db, hook, results.length);
        const claimed = await claim(db);
        expect(claimed).toHaveLength(results.length);
        await setLane(db, hook, { inFlightMax: model.inFlightMax });
        await settle(
          db,
          claimed.map((one, index) => outcome(one, kinds[results[index] ?? 'success'])),
        );
        const number = (...of: string[]) => results.filter((one) => of.includes(one)).length;
        const silent = number('unanswered');
        model.inFlightMax =
          silent > 0
            ? Math.max(1, Math.floor(model.inFlightMax / 2))
            : Math.min(32, model.inFlightMax + number('success', 'slow'));
        model.unanswered = silent === results.length ? model.unanswered + silent : 0;
        model.windowAttempts += results.length;
        model.windowFailures += number('refused', 'unanswered');
        model.isPrompt = number('success') === results.length;
        expect(await laneOf(db, hook)).toMatchObject(model);
      }
      await endOpenOf(hook);
    }),
    { numRuns: 25 },
  );
});

const endOpenOf = (hook: Hook) => store.db.transaction().execute((trx) => endOpen(trx, [hook], 'skipped'));

test('what failed more than five minutes ago is not counted', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 4);
  await settleAll(db, await claim(db), refused);
  await pass(hook, '6 minutes');
  await addEvents(db, hook, 1);
  await settleAll(db, await claim(db));
  expect(await laneOf(db, hook)).toMatchObject({ windowAttempts: 1, windowFailures: 0 });
  await endOpenOf(hook);
});

test('failures are dated from the first one after the last success, and again twelve hours later', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const fail = async () => {
    await addEvents(db, hook, 1);
    const { lanes } = await settleAll(db, await claim(db), refused);
    return lanes[0];
  };
  expect(await fail()).toMatchObject({ failingSince: expect.any(Date), failingAgainAt: null });
  await pass(hook, '11 hours');
  expect(await fail()).toMatchObject({ failingAgainAt: null });
  expect((await laneOf(db, hook)).failingAgainAt).toBeNull();
  await pass(hook, '2 hours');
  // The one that is dated now counts from the next batch on.
  expect(await fail()).toMatchObject({ failingAgainAt: null });
  expect(await fail()).toMatchObject({ failingAgainAt: expect.any(Date) });
  await addEvents(db, hook, 1);
  await settleAll(db, await claim(db));
  expect(await laneOf(db, hook)).toMatchObject({
    failingSince: null,
    failingAgainAt: null,
    lastSuccessAt: expect.any(Date),
  });
  await endOpenOf(hook);
});

/** Of a lane that has had no results. */
const uncounted = { windowAttempts: 0, windowFailures: 0 };

test('behind an open breaker nothing is taken, then one at a time', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 8 });
  await addEvents(db, hook, 4);
  const lane = { workspaceId: hook.workspaceId, webhookId: hook.id, openings: 0, ...uncounted };
  expect(await moveBreaker(db, lane, { openings: 1, pauseMs: 30_000 })).toBe(true);
  // Who has decided on what was before comes too late.
  expect(await moveBreaker(db, lane, { openings: 1, pauseMs: 600_000 })).toBe(false);
  expect(await claim(db)).toEqual([]);
  await pass(hook, '31 seconds');
  const probe = await claim(db);
  expect(probe).toMatchObject([{ isProbe: true }]);
  expect(await claim(db)).toEqual([]);
  const failed = await settleAll(db, probe, unanswered);
  expect(failed.lanes).toMatchObject([{ openings: 1, hasProbeFailed: true, hasSucceeded: false }]);
  // Nor by whoever comes before the breaker is opened for longer, or when nobody does that.
  expect(await claim(db)).toEqual([]);
  await addEvents(db, hook, 1);
  expect(await claim(db)).toEqual([]);
  await moveBreaker(db, { ...lane, openings: 1 }, { openings: 0, pauseMs: null });
  expect(await claim(db)).toMatchObject([{ isProbe: false }]);
  await endOpenOf(hook);
});

test('a breaker that was due when its worker died opens with the next result', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 8 });
  await addEvents(db, hook, 5);
  const first = await settleAll(db, await claim(db), unanswered);
  expect(first.lanes.map(breakerStep)).toEqual([{ openings: 1, pauseMs: 30_000 }]);
  await addEvents(db, hook, 1);
  const second = await settleAll(db, await claim(db), unanswered);
  expect(second.lanes.map(breakerStep)).toEqual([{ openings: 1, pauseMs: 30_000 }]);
  await endOpenOf(hook);
});

test('what was ended while a worker was at it is finished when that worker is dead', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hook = await addHook(db);
  await addEvents(db, hook, 3);
  const [one] = await claim(db, { slots: 1 });
  await endOpenOf(hook);
  expect(await openOf(hook)).toEqual([{ id: one?.id }]);
  await finishAbandoned(db);
  expect(await openOf(hook)).toHaveLength(1);
  await session.query(`update webhook.open_delivery set lease_end = now() where state = 'skipped'`);
  expect(await claim(db)).toEqual([]);
  await finishAbandoned(db);
  expect(await deliveriesOf(hook)).toEqual(
    Array.from({ length: 3 }, () => ({ state: 'skipped', attempts: 0, leaseToken: null })),
  );
});

test('a worker that is late for what was ended and abandoned records nothing', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const claimed = await claim(db);
  await endOpenOf(hook);
  await session.query(`update webhook.open_delivery set lease_end = now() where state = 'skipped'`);
  await finishAbandoned(db);
  expect((await settleAll(db, claimed)).lateIds).toHaveLength(1);
  expect(await deliveriesOf(hook)).toMatchObject([{ state: 'skipped' }]);
});

test('of two results for one delivery, of which one came too late, the other is recorded, once', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 2);
  const early = await claim(db);
  await endLeases(db);
  const again = await claim(db);
  expect(again.map((one) => one.id).toSorted()).toEqual(early.map((one) => one.id).toSorted());
  const [one] = again;
  const outcomes = [...early, ...again]
    .filter(({ id }) => id === one?.id)
    .map((delivery) => outcome(delivery));
  expect(outcomes).toHaveLength(2);
  expect((await settle(db, outcomes)).lateIds).toEqual([one?.id]);
  expect(await deliveriesOf(hook)).toMatchObject([{ state: 'succeeded', attempts: 1 }, { state: 'pending' }]);
  expect(await laneOf(db, hook)).toMatchObject({ underWay: 1 });
});

test('the backlog tells the age of what could be taken, and the lanes and breakers that are why others cannot', async () => {
  await using own = await createStore();
  const { db } = own;
  expect(await readBacklog(db)).toEqual({ oldestDueSeconds: 0, openBreakers: 0, pausedLanes: 0 });
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  await using session = await openSqlSession(own.adminUrl);
  await session.query(`update webhook.open_delivery set due_at = now() - interval '90 seconds'`);
  const due = await readBacklog(db);
  expect(due.oldestDueSeconds).toBeGreaterThanOrEqual(90);
  expect(due).toMatchObject({ openBreakers: 0, pausedLanes: 0 });
  // It waits for a token.
  await session.query(`update webhook.lane set ready_at = now() + interval '20 seconds'`);
  expect(await readBacklog(db)).toEqual({ oldestDueSeconds: 0, openBreakers: 0, pausedLanes: 0 });
  const lane = { workspaceId: hook.workspaceId, webhookId: hook.id, openings: 0, ...uncounted };
  await moveBreaker(db, lane, { openings: 1, pauseMs: 30_000 });
  expect(await readBacklog(db)).toEqual({ oldestDueSeconds: 0, openBreakers: 1, pausedLanes: 1 });
  // The pause is over, and one delivery will find out whether the receiver is back.
  await session.query(`update webhook.lane set ready_at = now(), paused_until = now()`);
  expect(await readBacklog(db)).toEqual({ oldestDueSeconds: 0, openBreakers: 1, pausedLanes: 0 });
});

test('each hour of a webhook counts the attempts that were recorded in it, however many record at once', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 32 });
  const hours = () =>
    db
      .selectFrom('laneHour')
      .where('workspaceId', '=', hook.workspaceId)
      .where('webhookId', '=', hook.id)
      .selectAll()
      .execute();
  await addEvents(db, hook, 24);
  const claimed = await claim(db);
  const [success, paused, ownFault, ...others] = claimed;
  if (!success || !paused || !ownFault) throw new Error('nothing was due');
  await settle(db, [
    outcome(paused, refused, pauseFor(1_000)),
    outcome(ownFault, result(), { ...retryIn(0), result: null }),
  ]);
  expect(await hours()).toEqual([]);
  await settle(db, [outcome(success)]);
  const [hour] = await hours();
  expect(hour).toMatchObject({ attempts: 1, failures: 0, totalMs: 1, maxMs: 1 });
  expect((hour?.hour.getTime() ?? 1) % 3_600_000).toBe(0);
  await Promise.all(
    others.map((delivery, index) => settle(db, [outcome(delivery, index % 3 === 0 ? unanswered : result())])),
  );
  const all = await hours();
  const sum = (of: 'attempts' | 'failures' | 'totalMs') => all.reduce((total, one) => total + one[of], 0);
  expect([sum('attempts'), sum('failures'), sum('totalMs')]).toEqual([22, 7, 7 * 20_000 + 15]);
  expect(Math.max(...all.map((one) => one.maxMs))).toBe(20_000);
});

test('a receiver that is gone and a success in a line of its webhook, at the same moment, do not wait for each other', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  await using other = await openSqlSession(store.adminUrl);
  const hook = await addHook(db, { inFlightMax: 8 });
  await setOptions(db, hook, { ordering: 'perCustomer' });
  for (const customerId of ['a', 'b', 'a']) await addEvents(db, hook, 1, { customerId });
  const claimed = await claim(db);
  const first = claimed.find((one) => one.orderingKey === 'a');
  const second = claimed.find((one) => one.orderingKey === 'b');
  if (!first || !second) throw new Error('two were due');
  await holdLane(session, hook);
  const succeeding = settle(db, [outcome(first)]);
  const { pid } = await somebodyWaits(other);
  const isGone = { verdict: { state: 'failed' as const, isGone: true } };
  const ending = settle(db, [outcome(second, result({ status: 410, error: 'http_410' }), isGone)]);
  await eventually(async () => {
    await other.query('select pg_stat_clear_snapshot()');
    const waiting = await other.query(
      `select pid from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0 and pid <> $1`,
      [pid],
    );
    expect(waiting).toHaveLength(1);
  });
  await session.query('commit');
  expect([(await succeeding).lateIds, (await ending).lateIds]).toEqual([[], []]);
});
