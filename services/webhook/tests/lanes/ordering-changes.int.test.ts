import { randomUUID } from 'node:crypto';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '../../src/dispatch/due-store.ts';
import { recordOutcomes } from '../../src/dispatch/record-store.ts';
import { replaceBodies } from '../../src/intake/event-store.ts';
import { addBacklog } from './backlog.ts';
import {
  addEvents,
  addHook,
  createStore,
  outcome,
  ownAll,
  type Read,
  recordAll,
  refused,
  retryIn,
  type Store,
  setOptions,
} from './lanes.ts';
import { lockLane, oneWaits } from './locks.ts';
import { addOrdered, finishedOf, openOf, takeSendable } from './ordered.ts';

// The order of deliveries during changes: of the option, of open deliveries, or of bodies.

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

test('an ordering applies to later events; without it no delivery waits', async () => {
  const { db } = store;
  const [hook, owner] = [await addHook(db), await ownAll(db)];
  await addEvents(db, hook, 2);
  await setOptions(db, hook, { ordering: 'strict' });
  await addEvents(db, hook, 3);
  const sendable = await takeSendable(db, hook);
  expect(sendable.map(({ orderingKey }) => orderingKey)).toEqual([null, null, '']);
  await setOptions(db, hook, { ordering: 'none' });
  const inFlight = sendable.map(({ id }) => id);
  expect(await takeSendable(db, hook, inFlight)).toHaveLength(2);
  expect(await recordAll(db, owner, sendable)).toEqual(new Set());
  await addEvents(db, hook, 2);
  expect(await takeSendable(db, hook)).toHaveLength(4);
});

test('a reopened delivery precedes later ones', async () => {
  const { db } = store;
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  await addEvents(db, hook, 3);
  const [first, second, third] = await openOf(db, hook);
  if (!first) throw new Error('nothing was opened');
  await recordAll(db, owner, await takeSendable(db, hook));
  await db
    .insertInto('openDelivery')
    .values({ ...first, dueAt: new Date() })
    .execute();
  for (const expected of [first, second, third]) {
    const sendable = await takeSendable(db, hook);
    expect(sendable.map(({ id }) => id)).toEqual([expected?.id]);
    await recordAll(db, owner, sendable);
  }
});

test.each([null, 'c-1'])(
  'one with key %o that was reopened while in flight releases the next one of its new key',
  async (key) => {
    const { db } = store;
    const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
    await addEvents(db, hook, 2);
    const sendable = await takeSendable(db, hook);
    await recordAll(
      db,
      owner,
      sendable.map((one) => ({ ...one, orderingKey: key })),
    );
    expect(await takeSendable(db, hook)).toHaveLength(1);
  },
);

test('a 410 for one that was reopened with another key while in flight is recorded', async () => {
  const { db } = store;
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  await addEvents(db, hook, 2);
  const reopened = (await takeSendable(db, hook)).map((one) => ({ ...one, orderingKey: null }));
  const next = { state: 'failed', isGone: true } as const;
  expect(await recordAll(db, owner, reopened, refused, { next, dueAtMs: null })).toEqual(new Set());
  expect(await finishedOf(db, hook)).toMatchObject([{ id: reopened[0]?.id, state: 'failed', attempts: 1 }]);
});

test('the next one of a new key is released although the first recording was interrupted', async () => {
  const { db } = store;
  await using session = await openSqlConnection(store.adminUrl);
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  await addEvents(db, hook, 2);
  const sendable = await takeSendable(db, hook);
  const reopened = sendable.map((one) => ({ ...one, orderingKey: null }));
  await lockLane(session, hook);
  const interrupted = expect(recordAll(db, owner, reopened)).rejects.toThrow();
  const { pid } = await oneWaits(session);
  await session.query('select pg_terminate_backend($1)', [pid]);
  await interrupted;
  await session.query('rollback');
  await recordAll(db, owner, reopened);
  expect(await takeSendable(db, hook)).toHaveLength(1);
});

test('after an interrupted removal of an ordering, the first of the remaining ones is due', async () => {
  const { db } = store;
  await using session = await openSqlConnection(store.adminUrl);
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 1);
  await addBacklog(session, hook, { number: 10_050, key: '' });
  // The first page succeeds, the second fails.
  await session.query('begin');
  await session.query(
    'select id from webhook.open_delivery where webhook_id = $1 order by id offset 30 limit 1 for update',
    [hook.id],
  );
  const changing = expect(setOptions(db, hook, { ordering: 'none' })).rejects.toThrow();
  const { pid } = await oneWaits(session);
  await session.query('select pg_terminate_backend($1)', [pid]);
  await changing;
  await session.query('rollback');
  const left = await session.query<{ isDue: boolean }>(
    `select due_at <= now() as "isDue" from webhook.open_delivery
     where webhook_id = $1 and ordering_key is not null order by id`,
    [hook.id],
  );
  expect(left).toHaveLength(51);
  expect(left[0]).toEqual({ isDue: true });
});

test('events after a step back of the database clock do not wait for each other for ever', async () => {
  const { db } = store;
  await using session = await openSqlConnection(store.adminUrl);
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  const eventIds = await addEvents(db, hook, 1);
  await session.query(
    `update webhook.open_delivery set id = uuidv7(interval '1 hour') where webhook_id = $1`,
    [hook.id],
  );
  for (let pass = 0; pass < 2; pass += 1) eventIds.push(...(await addEvents(db, hook, 1)));
  for (let pass = 0; pass < 3; pass += 1) await recordAll(db, owner, await takeSendable(db, hook));
  expect((await finishedOf(db, hook)).map(({ eventId }) => eventId).toSorted()).toEqual(eventIds.toSorted());
});

test('bodies are replaced while their deliveries are claimed and recorded in batches, without a deadlock', async () => {
  const { db } = store;
  const [workspaceId, owner] = [randomUUID(), await ownAll(db)];
  const strict = await addHook(db, { workspaceId });
  await setOptions(db, strict, { ordering: 'strict' });
  const hooks = [strict, await addHook(db, { workspaceId }), await addHook(db, { workspaceId })];
  const ids = await addEvents(db, strict, 150);
  let isReplacing = true;
  const replace = async (): Promise<void> => {
    for (let customerVersion = 1; customerVersion <= 8; customerVersion += 1) {
      const bodies = ids.map((id) => ({
        id,
        interaction: Buffer.from('{}'),
        result: Buffer.from('{"gone":true}'),
      }));
      await replaceBodies(db, { workspaceId, customerVersion }, bodies);
    }
    isReplacing = false;
  };
  /** Some of the deliveries that may be sent, in any order. */
  const read = async (): Promise<Read[]> => {
    const sendable = (await Promise.all(hooks.map((hook) => takeSendable(db, hook)))).flat();
    return sendable.toSorted(() => Math.random() - 0.5).slice(0, 60);
  };
  const record = async (): Promise<void> => {
    while (isReplacing) {
      const outcomes = (await read()).map((one, at) =>
        at % 10 === 0 ? outcome(owner, one) : outcome(owner, one, refused, retryIn(0)),
      );
      await recordOutcomes(db, owner.replicaId, outcomes);
    }
  };
  const claimSome = async (): Promise<void> => {
    while (isReplacing) {
      const claimed = (await read()).slice(0, 20);
      await claim(db, owner.replicaId, claimed);
      await recordAll(db, owner, claimed, null, retryIn(0));
    }
  };
  await Promise.all([replace(), record(), claimSome()]);
  for (const hook of hooks) {
    const open = await openOf(db, hook);
    expect(open.length + (await finishedOf(db, hook)).length).toBe(150);
    expect(new Set(open.map(({ isRedacted }) => isRedacted))).toEqual(new Set([true]));
  }
});
