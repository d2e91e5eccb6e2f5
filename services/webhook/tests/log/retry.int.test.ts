import { randomUUID } from 'node:crypto';
import { AppError } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '../../src/dispatch/due-store.ts';
import { replaceBodies } from '../../src/intake/event-store.ts';
import { purgeEvents } from '../../src/log/retention-store.ts';
import { releaseClaims, removeReplica } from '../../src/ownership/shard-store.ts';
import { standardDelaysMs } from '../../src/scheduling/attempts/backoff.ts';
import { activateWebhook, deactivateWebhook } from '../../src/webhooks/store.ts';
import { addFinished, call, type Controls, listAll, of, startControls } from '../controls.ts';
import {
  addEvents,
  addHook,
  due,
  type Hook,
  laneOf,
  type Owner,
  ownAll,
  recordAll,
  refused,
} from '../lanes/lanes.ts';

// A retry makes one delivery due, in every state.

let controls: Controls;
let owner: Owner;
beforeAll(async () => {
  controls = await startControls();
  owner = await ownAll(controls.db);
});
afterAll(() => controls[Symbol.asyncDispose]());

const failed = { next: { state: 'failed', isGone: false } } as const;
/** Longer than any test. */
const hour = 3_600_000;

const retry = (hook: Hook, id: string) => controls.client.retryDelivery({ ...of(hook), id }, call);
const conflict = (type: string) => ({ code: 'failed_precondition', type });
const one = (ids: string[]): string => {
  const [id] = ids;
  if (id === undefined) throw new Error('there is none');
  return id;
};

test.each(['succeeded', 'failed', 'skipped'])('one that has %s is due again, unchanged', async (state) => {
  const { db, session, client, notified } = controls;
  const hook = await addHook(db);
  const id = one(await addFinished(session, hook, { number: 1, state, ago: '29 days', attempts: 3 }));
  const before = await client.getDelivery({ ...of(hook), id }, call);
  const delivery = await retry(hook, id);
  expect(delivery).toEqual({ ...before, state: 'pending', dueAt: expect.any(Date), finishedAt: null });
  expect(notified.at(-1)).toBe(hook.id);
  expect(await listAll(controls, hook)).toEqual([delivery]);
  const attempts = async () =>
    (await client.listAttempts({ ...of(hook), deliveryId: id, cursor: '', limit: 20 }, call)).attempts;
  const last = { number: 3, error: 'http_500', responseExcerpt: Buffer.from('dear c-1') };
  const logged = state === 'skipped' ? [] : [last];
  expect(await attempts()).toMatchObject(logged);
  const read = await due(db, [hook]);
  expect(read).toMatchObject([{ id, attempt: 4, eventId: before.eventId }]);
  await recordAll(db, owner, read);
  expect(await listAll(controls, hook)).toMatchObject([{ id, state: 'succeeded', attempts: 4 }]);
  expect(await attempts()).toMatchObject([...logged, { number: 4, error: null }]);
});

test('a waiting one is due at once, and one that was due keeps its place', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const read = await due(db, [hook]);
  await recordAll(db, owner, read, refused);
  const id = one(read.map((each) => each.id));
  expect(await due(db, [hook])).toEqual([]);
  const hastened = await retry(hook, id);
  expect(hastened.dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await retry(hook, id)).toEqual(hastened);
  expect(await due(db, [hook])).toMatchObject([{ id, attempt: 2 }]);
});

test('one in flight cannot be retried until its result is recorded', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const read = await due(db, [hook]);
  const id = one(read.map((each) => each.id));
  await claim(db, owner.replicaId, read);
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('delivery-under-way'));
  expect(await recordAll(db, owner, read, refused, failed)).toEqual(new Set());
  expect(await retry(hook, id)).toMatchObject({ state: 'pending', attempts: 1 });
});

test('one that a dead replica had in flight can be retried once that replica is removed', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const read = await due(db, [hook]);
  const id = one(read.map((each) => each.id));
  await claim(db, owner.replicaId, read);
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('delivery-under-way'));
  await removeReplica(db, owner.replicaId, null);
  await releaseClaims(db);
  expect(await retry(hook, id)).toMatchObject({
    state: 'pending',
    isUnderWay: false,
    dueAt: expect.any(Date),
  });
  expect(await due(db, [hook])).toMatchObject([{ id, attempt: 1 }]);
});

test('an inactive webhook has no due delivery', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  await deactivateWebhook(db, { ...hook, version: 1 });
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('webhook-inactive'));
  expect(await listAll(controls, hook)).toMatchObject([{ id, state: 'failed' }]);
});

test('a pause and an open breaker continue', async () => {
  const { db, session } = controls;
  const pausedUntil = new Date(Date.now() + hour);
  const paused = await addHook(db, { pausedUntil, openings: 2 });
  await retry(paused, one(await addFinished(session, paused, { number: 1, state: 'failed' })));
  expect(await laneOf(db, paused)).toMatchObject({ pausedUntil, openings: 2, revision: 0 });
});

test('twenty concurrent retries make it due once', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => retry(hook, id)));
  expect(new Set(answers.map((answer) => answer.dueAt?.getTime())).size).toBe(1);
  expect(await listAll(controls, hook)).toHaveLength(1);
  expect(await due(db, [hook])).toMatchObject([{ id, attempt: 12 }]);
});

test('retries while results are recorded: each delivery exists once, and finished or claimed ones are due', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 150);
  // A busy machine can take longer to open all connections than a call waits for one.
  await eventually(() => Promise.all(Array.from({ length: 10 }, () => sql`select 1`.execute(db))));
  let [retried, underWay] = [0, 0];
  for (let pass = 0; pass < 5; pass += 1) {
    const read = await due(db, [hook], 30);
    const isClaimed = (index: number) => index % 2 === 0;
    await claim(
      db,
      owner.replicaId,
      read.filter((_, index) => isClaimed(index)),
    );
    const ask = async (id: string): Promise<boolean> => {
      try {
        expect(await retry(hook, id)).toMatchObject({ state: 'pending', isUnderWay: false });
        retried += 1;
        return true;
      } catch (error) {
        // Thirty at once wait longer than a call may on a busy machine.
        if (error instanceof AppError && error.type === 'workspace-busy') return ask(id);
        expect(error).toMatchObject(conflict('delivery-under-way'));
        underWay += 1;
        return false;
      }
    };
    const recordOne = async (index: number): Promise<void> => {
      const late = await recordAll(db, owner, read.slice(index, index + 1), refused, failed);
      expect(late).toEqual(new Set());
    };
    // Of every three, one is retried before its result is recorded, one after it, and one concurrently.
    const mustBeDue = await Promise.all(
      read.map(async ({ id }, index) => {
        const recording = index % 3 === 0 ? undefined : recordOne(index);
        if (index % 3 === 1) await recording;
        const isRetried = await ask(id);
        await (recording ?? recordOne(index));
        // One that is neither claimed nor finished may be in flight: its current attempt is then the retry.
        return isRetried && (isClaimed(index) || index % 3 === 1) ? [id] : [];
      }),
    );
    const pending = new Set((await listAll(controls, hook, { states: ['pending'] })).map(({ id }) => id));
    expect(mustBeDue.flat().filter((id) => !pending.has(id))).toEqual([]);
    expect(await listAll(controls, hook)).toHaveLength(150);
  }
  expect(Math.min(retried, underWay)).toBeGreaterThan(0);
});

test('a concurrent deactivation leaves no due delivery', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 10, state: 'failed' });
  for (let version = 1; version < 20; version += 2) {
    const asking = ids.map(async (id) => retry(hook, id).catch((error: unknown) => error));
    const [, ...answers] = await Promise.all([deactivateWebhook(db, { ...hook, version }), ...asking]);
    for (const answer of answers) {
      if (answer instanceof Error) expect(answer).toMatchObject(conflict('webhook-inactive'));
    }
    const all = await listAll(controls, hook);
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(all.every(({ state }) => state === 'failed' || state === 'skipped')).toBe(true);
    expect(await due(db, [hook])).toEqual([]);
    await activateWebhook(db, { ...hook, version: version + 1 });
  }
});

test('a deleted event rejects the retry; it is never deleted between the answer and the attempt', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  let kept = 0;
  let expired = 0;
  for (let pass = 0; pass < 6; pass += 1) {
    const [early = '', late = '', ...others] = await addFinished(session, hook, {
      number: 40,
      state: 'failed',
    });
    await session.query(
      `update event set received_at = now() - interval '40 days' where workspace_id = $1
       and not exists (select from open_delivery where event_id = event.id)`,
      [hook.workspaceId],
    );
    const ask = async (id: string): Promise<void> => {
      try {
        await retry(hook, id);
        kept += 1;
      } catch (error) {
        expect(error).toMatchObject(conflict('event-expired'));
        expired += 1;
      }
    };
    await ask(early);
    const asking = others.slice(0, 5 + pass).map(ask);
    await Promise.all([
      ...asking,
      purgeEvents(db, { retryDelaysMs: standardDelaysMs }),
      purgeEvents(db, { retryDelaysMs: standardDelaysMs }),
    ]);
    await ask(late);
    expect(
      await session.query(
        `select id from open_delivery where workspace_id = $1
         and not exists (select from event where event.id = event_id)`,
        [hook.workspaceId],
      ),
    ).toEqual([]);
  }
  expect(Math.min(kept, expired)).toBeGreaterThan(0);
});

test('a concurrent anonymisation reaches the delivery in any state: no answer to the old body is kept', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  for (let pass = 0; pass < 5; pass += 1) {
    const ids = await addFinished(session, hook, { number: 6, state: 'failed' });
    const events = await session.query<{ eventId: string }>(
      'select event_id as "eventId" from finished_delivery where id = any($1)',
      [ids],
    );
    await session.query(
      `insert into attempt (delivery_id, number, workspace_id, started_at, duration_ms, status, error, response_excerpt)
       select unnest($1::uuid[]), 10, $2, now(), 1, 500, 'http_500', 'dear c-1'`,
      [ids, hook.workspaceId],
    );
    const customer = { workspaceId: hook.workspaceId, customerVersion: 1 };
    const bodies = events.map(({ eventId: id }) => ({
      id,
      interaction: Buffer.from('{}'),
      result: Buffer.from('{}'),
    }));
    await Promise.all([...ids.map((id) => retry(hook, id)), replaceBodies(db, customer, bodies)]);
    expect(
      await session.query('select id from delivery where id = any($1) and not is_redacted', [ids]),
    ).toEqual([]);
    expect(
      await session.query(
        'select number, response_excerpt as excerpt from every_attempt where delivery_id = any($1) order by number',
        [ids],
      ),
    ).toEqual([10, 11].flatMap((number) => ids.map(() => ({ number, excerpt: null }))));
  }
});

test('of an ordered webhook it is sent before later ones', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  await session.query(`update webhook set ordering = 'perCustomer' where id = $1`, [hook.id]);
  const early = one(await addFinished(session, hook, { number: 1, state: 'failed', ago: '1 hour' }));
  await addEvents(db, hook, 1);
  await retry(hook, early);
  const sendable = async () => (await due(db, [hook])).filter(({ isBlocked }) => !isBlocked);
  const first = await sendable();
  expect(first.map(({ id }) => id)).toEqual([early]);
  await recordAll(db, owner, first);
  expect((await sendable()).map(({ id }) => id > early)).toEqual([true]);
});

test('no other workspace can make it due', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const other = await addHook(db, { workspaceId: hook.workspaceId });
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  await expect(retry(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(retry({ ...hook, workspaceId: randomUUID() }, id)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await listAll(controls, hook)).toMatchObject([{ state: 'failed' }]);
});
