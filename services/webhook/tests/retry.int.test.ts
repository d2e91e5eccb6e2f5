import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceBodies } from '../src/intake/redaction-store.ts';
import { standardDelaysMs } from '../src/delivering/backoff.ts';
import { purgeEvents } from '../src/log/retention-store.ts';
import { activateWebhook, deactivateWebhook } from '../src/webhooks/store.ts';
import { addEvents, addHook, claim, type Hook, laneOf, refused, settleAll } from './lanes.ts';
import { addFinished, call, type Levers, listAll, of, startLevers } from './levers.ts';

// One delivery is made due, whatever became of it.

let levers: Levers;
beforeEach(async () => {
  levers = await startLevers();
});
afterEach(() => levers[Symbol.asyncDispose]());

const failed = { verdict: { state: 'failed', isGone: false } } as const;
/** Longer than any test. */
const hour = 3_600_000;

const retry = (hook: Hook, id: string) => levers.client.retryDelivery({ ...of(hook), id }, call);
const conflict = (type: string) => ({ code: 'failed_precondition', type });
const one = (ids: string[]): string => {
  const [id] = ids;
  if (id === undefined) throw new Error('there is none');
  return id;
};

test.each(['succeeded', 'failed', 'skipped'])(
  'one that has %s is due again, as what it was',
  async (state) => {
    const { db, session, client, woken } = levers;
    const hook = await addHook(db);
    const id = one(await addFinished(session, hook, { number: 1, state, ago: '29 days', attempts: 3 }));
    const before = await client.getDelivery({ ...of(hook), id }, call);
    const wokenBefore = woken.deliveries;
    const delivery = await retry(hook, id);
    expect(delivery).toEqual({ ...before, state: 'pending', dueAt: expect.any(Date), finishedAt: null });
    expect(woken.deliveries).toBe(wokenBefore + 1);
    expect(await listAll(levers, hook)).toEqual([delivery]);
    const attempts = async () =>
      (await client.listAttempts({ ...of(hook), deliveryId: id, cursor: '', limit: 20 }, call)).attempts;
    const last = { number: 3, error: 'http_500', responseExcerpt: Buffer.from('dear c-1') };
    const logged = state === 'skipped' ? [] : [last];
    expect(await attempts()).toMatchObject(logged);
    const claimed = await claim(db);
    expect(claimed).toMatchObject([{ id, attempt: 4, eventId: before.eventId }]);
    await settleAll(db, claimed);
    expect(await listAll(levers, hook)).toMatchObject([{ id, state: 'succeeded', attempts: 4 }]);
    expect(await attempts()).toMatchObject([...logged, { number: 4, error: null }]);
  },
);

test('one that waits need not wait any longer, and keeps its place when it was due already', async () => {
  const { db } = levers;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const claimed = await claim(db);
  await settleAll(db, claimed, refused);
  const { id } = claimed[0] ?? { id: '' };
  const waiting = one((await listAll(levers, hook)).map((each) => each.id));
  expect(waiting).toBe(id);
  expect(await claim(db)).toEqual([]);
  const hastened = await retry(hook, id);
  expect(hastened.dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await retry(hook, id)).toEqual(hastened);
  const again = await claim(db);
  expect(again).toMatchObject([{ id, attempt: 2 }]);
  await settleAll(db, again);
});

test('one that a dead worker has is due, as it was without', async () => {
  const { db } = levers;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const [dead] = await claim(db, { leaseMs: 0 });
  const delivery = await retry(hook, dead?.id ?? '');
  expect(delivery).toMatchObject({ state: 'pending', isUnderWay: false, dueAt: expect.any(Date) });
  const claimed = await claim(db);
  expect(claimed).toMatchObject([{ id: dead?.id, attempt: 1 }]);
  await settleAll(db, claimed);
});

test('one that is under way is left to its worker, also when it was ended meanwhile', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const claimed = await claim(db, { leaseMs: hour });
  const id = one(claimed.map((each) => each.id));
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('delivery-under-way'));
  await session.query(`update open_delivery set state = 'skipped' where id = $1`, [id]);
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('delivery-under-way'));
  expect((await settleAll(db, claimed, refused, failed)).lateIds).toEqual([]);
  expect(await retry(hook, id)).toMatchObject({ state: 'pending', attempts: 1 });
});

test('nothing is due for a webhook that is not active', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  await deactivateWebhook(db, { ...hook, version: 1 });
  await expect(retry(hook, id)).rejects.toMatchObject(conflict('webhook-inactive'));
  expect(await listAll(levers, hook)).toMatchObject([{ id, state: 'failed' }]);
});

test('a pause and the breaker go on, and what has as much under way as may be waits for a result', async () => {
  const { db, session } = levers;
  const pausedUntil = new Date(Date.now() + hour);
  const paused = await addHook(db, { pausedUntil, openings: 2 });
  const id = one(await addFinished(session, paused, { number: 1, state: 'failed' }));
  await retry(paused, id);
  expect(await laneOf(db, paused)).toMatchObject({ readyAt: pausedUntil, pausedUntil, openings: 2 });
  const full = await addHook(db, { inFlightMax: 1 });
  await addEvents(db, full, 1);
  await claim(db, { leaseMs: hour });
  await retry(full, one(await addFinished(session, full, { number: 1, state: 'failed' })));
  expect((await laneOf(db, full)).readyAt?.getTime()).toBeGreaterThan(Date.now());
});

test('twenty who ask for the same at once make it due once', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => retry(hook, id)));
  expect(new Set(answers.map((answer) => answer.dueAt?.getTime())).size).toBe(1);
  expect(await listAll(levers, hook)).toHaveLength(1);
  const claimed = await claim(db);
  expect(claimed).toMatchObject([{ id, attempt: 12 }]);
  await settleAll(db, claimed);
});

test('whoever asks while results are recorded hears what is so: each is due, or under way, and there once', async () => {
  const { db } = levers;
  const hook = await addHook(db, { inFlightMax: 32 });
  await addEvents(db, hook, 300);
  let retried = 0;
  let underWay = 0;
  for (let round = 0; round < 10; round += 1) {
    const claimed = await claim(db, { leaseMs: hour });
    const ids = claimed.map((delivery) => delivery.id);
    const ask = async (id: string): Promise<string | null> => {
      try {
        expect(await retry(hook, id)).toMatchObject({ state: 'pending', isUnderWay: false });
        retried += 1;
        return id;
      } catch (error) {
        expect(error).toMatchObject(conflict('delivery-under-way'));
        underWay += 1;
        return null;
      }
    };
    const settleOne = (index: number) => settleAll(db, claimed.slice(index, index + 1), refused, failed);
    // Of each three one is asked before its result comes, one after it, and one at the same time.
    const settling = ids.map((_, index) => (index % 3 === 0 ? null : settleOne(index)));
    const asking = ids.map(async (id, index) => {
      if (index % 3 === 1) await settling[index];
      return ask(id);
    });
    const late = asking.map(async (asked, index) => {
      if (index % 3 !== 0) return settling[index];
      await asked;
      return settleOne(index);
    });
    const [answers, settled] = await Promise.all([Promise.all(asking), Promise.all(late)]);
    expect(settled.every((one) => one?.lateIds.length === 0)).toBe(true);
    const pending = await listAll(levers, hook, { states: ['pending'] });
    const open = new Set(pending.map((delivery) => delivery.id));
    expect(answers.filter((id) => id !== null && !open.has(id))).toEqual([]);
    expect(await listAll(levers, hook)).toHaveLength(300);
  }
  expect(Math.min(retried, underWay)).toBeGreaterThan(0);
}, 30_000);

test('whoever deactivates the webhook meanwhile leaves nothing due', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 10, state: 'failed' });
  for (let version = 1; version < 20; version += 2) {
    const asking = ids.map(async (id) => retry(hook, id).catch((error: unknown) => error));
    const [, ...answers] = await Promise.all([deactivateWebhook(db, { ...hook, version }), ...asking]);
    for (const answer of answers) {
      if (answer instanceof Error) expect(answer).toMatchObject(conflict('webhook-inactive'));
    }
    const all = await listAll(levers, hook);
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(all.every(({ state }) => state === 'failed' || state === 'skipped')).toBe(true);
    expect((await laneOf(db, hook)).readyAt).toBeNull();
    await activateWebhook(db, { ...hook, version: version + 1 });
  }
}, 30_000);

test('what was to be delivered may be gone; it never goes between the answer and the attempt', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  let kept = 0;
  let expired = 0;
  for (let round = 0; round < 12; round += 1) {
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
    const asking = others.slice(0, 5 + round).map(ask);
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
}, 30_000);

test('who is anonymised meanwhile is found wherever the delivery is: no answer to the old body is kept', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  for (let round = 0; round < 10; round += 1) {
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
    const owner = { workspaceId: hook.workspaceId, customerId: 'c-1', customerVersion: 1 };
    const bodies = events.map(({ eventId }) => ({ eventId, body: Buffer.from('[]') }));
    await Promise.all([...ids.map((id) => retry(hook, id)), replaceBodies(db, owner, bodies)]);
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
}, 30_000);

test('a copy of the version before, which knows of no answer there, wipes it by its mark', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 2, state: 'failed' });
  const [id] = ids;
  await session.query('update finished_delivery set is_redacted = true where id = $1', [id]);
  expect(
    await session.query(
      'select response_excerpt is null as "isWiped" from finished_delivery where id = any($1) order by id = $2 desc',
      [ids, id],
    ),
  ).toEqual([{ isWiped: true }, { isWiped: false }]);
});

test('with an ordered webhook it comes before what was made later', async () => {
  const { db, session } = levers;
  const hook = await addHook(db, { inFlightMax: 32 });
  await session.query(`update webhook set ordering = 'perCustomer' where id = $1`, [hook.id]);
  const early = one(await addFinished(session, hook, { number: 1, state: 'failed', ago: '1 hour' }));
  await addEvents(db, hook, 1);
  await retry(hook, early);
  const first = await claim(db);
  expect(first).toMatchObject([{ id: early }]);
  expect(await claim(db)).toEqual([]);
  await settleAll(db, first);
  const second = await claim(db);
  expect(second).toHaveLength(1);
  await settleAll(db, second);
});

test('nobody else can make it due', async () => {
  const { db, session } = levers;
  const hook = await addHook(db);
  const other = await addHook(db, { workspaceId: hook.workspaceId });
  const id = one(await addFinished(session, hook, { number: 1, state: 'failed' }));
  await expect(retry(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(retry({ ...hook, workspaceId: randomUUID() }, id)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await listAll(levers, hook)).toMatchObject([{ state: 'failed' }]);
});
