import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/delivering/claim-store.ts';
import { type Disabled, type FollowUps, startFollowingUp } from '../src/delivering/follow-up.ts';
import { resetLane } from '../src/delivering/lane-store.ts';
import { type Metrics, startMetrics } from '../src/delivering/metrics.ts';
import type { SettledLane } from '../src/delivering/settle-store.ts';
import { findWebhook } from '../src/webhooks/store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  type Hook,
  laneOf,
  setLane,
  settleAll,
  type Store,
  unanswered,
} from './lanes.ts';
import { holdLane } from './locks.ts';

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1_000);

let store: Store;
let session: SqlSession;
let metrics: Metrics;
beforeAll(async () => {
  store = await createStore();
  session = await openSqlSession(store.adminUrl);
  metrics = startMetrics(store.db);
});
afterAll(async () => {
  metrics[Symbol.dispose]();
  await session[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

let followUps: FollowUps;
let disabled: Disabled[];
/** How many lanes have had their consequences, or could not. */
let followed: number;
beforeEach(() => {
  [disabled, followed] = [[], 0];
  followUps = startFollowingUp({
    db: store.db,
    logger,
    metrics,
    onDisabled: (one) => disabled.push(one),
    onFailing: () => {},
    onFollowed: () => {
      followed += 1;
    },
  });
});
afterEach(() => followUps[Symbol.asyncDispose]());

/** Has one more delivery of each webhook fail; their lanes in this order. */
async function fail(...hooks: Hook[]): Promise<SettledLane[]> {
  for (const hook of hooks) await addEvents(store.db, hook, 1);
  const { lanes } = await settleAll(store.db, await claim(store.db), unanswered);
  return hooks.flatMap((hook) => lanes.filter((lane) => lane.webhookId === hook.id));
}

/** Has two deliveries of the webhook be under way. */
async function claimTwo(hook: Hook): Promise<[Claimed, Claimed]> {
  await addEvents(store.db, hook, 2);
  const [first, second] = (await claim(store.db)).filter(({ webhookId }) => webhookId === hook.id);
  if (!first || !second) throw new Error('not taken');
  return [first, second];
}

const followedTimes = (times: number) => eventually(() => expect(followed).toBe(times));

test('a lane whose consequences cannot be written keeps no other from its own, and gets them with its next result', async () => {
  const { db } = store;
  const refused = await addHook(db, { unanswered: 4 });
  const failing = await addHook(db, { unanswered: 4 });
  const failed = await addHook(db, { failingSince: daysAgo(6), failingAgainAt: daysAgo(5) });
  await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`);
  await session.query(`
    create trigger refuse before update of openings on webhook.lane for each row
    when (new.webhook_id = '${refused.id}') execute function webhook.refuse()`);
  followUps.add(await fail(refused, failing, failed));
  await followedTimes(3);
  expect(await laneOf(db, refused)).toMatchObject({ openings: 0, unanswered: 5 });
  expect(await laneOf(db, failing)).toMatchObject({ openings: 1 });
  expect(disabled).toMatchObject([{ webhookId: failed.id }]);

  await session.query('drop trigger refuse on webhook.lane');
  followUps.add(await fail(refused));
  await followedTimes(4);
  expect(await laneOf(db, refused)).toMatchObject({ openings: 1 });
});

test('a lane that somebody else has holds up no others, however often it is added', async () => {
  const { db } = store;
  const held = await addHook(db, { unanswered: 4 });
  const others = await Promise.all(Array.from({ length: 5 }, () => addHook(db, { unanswered: 4 })));
  const lanes = await fail(held, ...others);
  await holdLane(session, held);
  for (let time = 0; time < 5; time += 1) followUps.add(lanes.slice(0, 1));
  followUps.add(lanes.slice(1));
  await followedTimes(others.length);
  for (const hook of others) expect(await laneOf(db, hook)).toMatchObject({ openings: 1 });
  await session.query('rollback');
  // Once for the first time it was added, and once for all the others.
  await followedTimes(others.length + 2);
  expect(await laneOf(db, held)).toMatchObject({ openings: 1 });
});

test('what waits for a lane is done together, and a success among it closes its breaker', async () => {
  const { db } = store;
  const held = await Promise.all(Array.from({ length: 3 }, () => addHook(db, { unanswered: 4 })));
  const hook = await addHook(db, { openings: 1 });
  const lanes = await fail(...held, hook);
  const lane = lanes.pop();
  if (!lane) throw new Error('no lane');
  for (const one of held) await holdLane(session, one);
  followUps.add(lanes);
  followUps.add([{ ...lane, hasSucceeded: true, hasProbeFailed: false }]);
  followUps.add([{ ...lane, hasSucceeded: false, hasProbeFailed: true }]);
  await session.query('rollback');
  await followedTimes(4);
  expect(await laneOf(db, hook)).toMatchObject({ openings: 0, pausedUntil: null });
});

test('a lane that its operator has reset meanwhile is not paused for what was before', async () => {
  const { db } = store;
  const hook = await addHook(db, { unanswered: 4 });
  const lanes = await fail(hook);
  await db
    .transaction()
    .execute((trx) => resetLane(trx, { workspaceId: hook.workspaceId, webhookId: hook.id }));
  followUps.add(lanes);
  await followedTimes(1);
  expect(await laneOf(db, hook)).toMatchObject({ openings: 0, pausedUntil: null });
});

test('a breaker does not open when something has succeeded since', async () => {
  const { db } = store;
  const hook = await addHook(db, { unanswered: 4 });
  const [first, second] = await claimTwo(hook);
  const { lanes } = await settleAll(db, [first], unanswered);
  await settleAll(db, [second]);
  followUps.add(lanes);
  await followedTimes(1);
  expect(await laneOf(db, hook)).toMatchObject({ openings: 0, pausedUntil: null });
});

test('a breaker does not open for longer when something has succeeded since its probe failed: it closes', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const [first, second] = await claimTwo(hook);
  await setLane(db, hook, { openings: 1 });
  const failed = await settleAll(db, [{ ...first, isProbe: true }], unanswered);
  expect(failed.lanes).toMatchObject([{ openings: 1, hasProbeFailed: true }]);
  const succeeded = await settleAll(db, [second]);
  followUps.add(failed.lanes);
  followUps.add(succeeded.lanes);
  await followedTimes(2);
  expect(await laneOf(db, hook)).toMatchObject({ openings: 0, pausedUntil: null });
});

test('a webhook that succeeded since it was found to have failed too long is not disabled', async () => {
  const { db } = store;
  const hook = await addHook(db, { failingSince: daysAgo(6), failingAgainAt: daysAgo(5) });
  await addEvents(db, hook, 3);
  const claimed = await claim(db);
  const [first = [], second = [], third = []] = claimed
    .filter(({ webhookId }) => webhookId === hook.id)
    .map((one) => [one]);
  const { lanes } = await settleAll(db, first, unanswered);
  await settleAll(db, second);
  await settleAll(db, third, unanswered);
  followUps.add(lanes);
  await followedTimes(1);
  expect(disabled).toEqual([]);
  expect(await findWebhook(db, hook.workspaceId, hook.id)).toMatchObject({ isActive: true });
});
