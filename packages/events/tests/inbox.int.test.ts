import { randomUUID } from 'node:crypto';
import { keepHandledDays } from '@parley/events/handled-days';
import { createInbox, extendInbox, type Inbox, inboxOf } from '@parley/events/inbox';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const dayOf = (id: string): string =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '');

let db: Kysely<object>;
let inbox: Inbox;
let another: Inbox;
let durable: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const database = stack.use(await createDatabase('webhook'));
  ({ db } = stack.use(openDatabase<object>({ url: database.testUrl, logger })));
  await createInbox(db);
  await extendInbox(db, { hasPartitionFunctions: false });
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  durable = `one-${randomUUID()}`;
  inbox = inboxOf(db, durable);
  another = inboxOf(db, `another-${randomUUID()}`);
});

async function claim(of: Inbox, source: string, replica: string) {
  return (await of.claimCursor(source, replica)) ?? expect.unreachable('another replica has the cursor');
}

test('one replica has the cursor of a source, until it gives it up or is silent', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const claimed = await claim(inbox, 'source', first);
  expect(claimed).toMatchObject({ cursor: null });
  expect(await inbox.claimCursor('source', second)).toBeUndefined();
  // Other sources and consumers are independent.
  expect(await inbox.claimCursor('other', second)).toMatchObject({ cursor: null });
  expect(await another.claimCursor('source', second)).toMatchObject({ cursor: null });

  await inbox.moveCursor('source', claimed, { cursor: '5', keptSince: null });
  await inbox.moveCursor('source', { ...claimed, holder: second }, { cursor: '9', keptSince: null });
  await inbox.releaseCursor('source', second);
  expect(await inbox.claimCursor('source', second)).toBeUndefined();
  expect(await claim(inbox, 'source', first)).toEqual({ ...claimed, cursor: '5' });

  await inbox.releaseCursor('source', first);
  const late = await claim(inbox, 'source', second);
  expect(late).toMatchObject({ cursor: '5' });
  expect(await inbox.claimCursor('source', first)).toBeUndefined();

  await sql`update inbox_cursor set held_until = now() - interval '1 millisecond' where holder = ${second}`.execute(
    db,
  );
  expect(await inbox.claimCursor('source', first)).toMatchObject({ cursor: '5' });
  // It moves too late, also when it has the cursor again.
  await inbox.moveCursor('source', late, { cursor: '9', keptSince: null });
  await inbox.releaseCursor('source', first);
  await inbox.claimCursor('source', second);
  await inbox.moveCursor('source', late, { cursor: '9', keptSince: null });
  expect(await inbox.claimCursor('source', second)).toMatchObject({ cursor: '5' });
});

test('a replica of the release before takes a cursor over, which ends the claim of the one before', async () => {
  const [mine, old] = [randomUUID(), randomUUID()];
  const claimed = await claim(inbox, 'source', mine);
  await inbox.releaseCursor('source', mine);
  await sql`
    insert into inbox_cursor as held (durable, source, holder, held_until)
    values (${durable}, 'source', ${old}, now())
    on conflict (durable, source) do update set holder = excluded.holder, held_until = excluded.held_until
    where held.holder = excluded.holder or held.held_until < now()`.execute(db);
  await claim(inbox, 'source', mine);
  await inbox.moveCursor('source', claimed, { cursor: '9', keptSince: null });
  expect(await claim(inbox, 'source', mine)).toMatchObject({ cursor: null });
});

test('an event is taken once by concurrent transactions, and not at all by one that rolls back', async () => {
  const ids = [uuidv7(), uuidv7()];
  const failing = db.transaction().execute(async (trx) => {
    expect(await inbox.take(trx, ids)).toEqual(new Set(ids));
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await inbox.keepNew(ids)).toEqual(new Set(ids));
  const take = () => db.transaction().execute((trx) => inbox.take(trx, ids.toReversed()));
  const taken = await Promise.all([take(), take(), take()]);
  expect(taken.flatMap((fresh) => [...fresh]).toSorted()).toEqual(ids.toSorted());
  expect(await inbox.keepNew(ids)).toEqual(new Set());
  expect(await another.keepNew(ids)).toEqual(new Set(ids));
});

test('events may be forgotten when no source keeps them, whichever replicas have the cursors', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const [a, b] = [await claim(inbox, 'a', first), await claim(inbox, 'b', second)];
  const [earlier, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')];
  await inbox.moveCursor('a', a, { cursor: '1', keptSince: later });
  expect(await inbox.keptSince(['a'])).toEqual(later);
  expect(await inbox.keptSince(['a', 'b'])).toBeUndefined();
  expect([await inbox.hasBegun(['a']), await inbox.hasBegun(['a', 'b'])]).toEqual([true, false]);
  await inbox.moveCursor('b', b, { cursor: '1', keptSince: earlier });
  expect(await inbox.keptSince(['a', 'b'])).toEqual(earlier);
  expect([await inbox.hasBegun(['a', 'b']), await another.hasBegun(['a'])]).toEqual([true, false]);
  expect(await another.keptSince(['a', 'b'])).toBeUndefined();
});

test('events that are in no partition are forgotten by the page, and later ones and those of others stay', async () => {
  const dayMs = 24 * 60 * 60 * 1_000;
  const timeMs = Date.now() - 9 * dayMs;
  const before = Array.from({ length: 5_001 }, () => uuidv7({ msecs: timeMs - 1 }));
  const after = [uuidv7({ msecs: timeMs }), uuidv7({ msecs: timeMs + 1 }), uuidv7(), randomUUID()];
  await inbox.take(db, [...before, ...after]);
  await another.take(db, before);
  expect(await inbox.forgetBefore(new Date(timeMs))).toBe(true);
  expect(await inbox.forgetBefore(new Date(timeMs))).toBe(false);
  const left = after.slice(0, 3);
  expect(await inbox.keepNew([...before, ...left])).toEqual(new Set(before));
  expect(await another.keepNew(before)).toEqual(new Set());
});

test('each day has a partition, which is dropped when no log keeps its events for any consumer', async () => {
  const dayMs = 24 * 60 * 60 * 1_000;
  const partitionOf = async (id: string): Promise<string | undefined> => {
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from handled_event where event_id = ${id}`.execute(db);
    return rows[0]?.name;
  };
  await sql`delete from inbox_cursor`.execute(db);
  await sql`select make_partition('handled_event', (now() at time zone 'utc')::date - 10)`.execute(db);
  const [old, recent, early] = [-10, 0, 5].map((days) => uuidv7({ msecs: Date.now() + days * dayMs }));
  const all = [old, recent, early].filter((id) => id !== undefined);
  await inbox.take(db, all);
  const dated = all.map((id) => `handled_event_${dayOf(id)}`);
  expect(await Promise.all(all.map(partitionOf))).toEqual(dated);
  const [first, second] = [randomUUID(), randomUUID()];
  const own = await claim(inbox, 'source', first);
  const others = await claim(another, 'source', second);
  await inbox.moveCursor('source', own, { cursor: '1', keptSince: new Date(Date.now() - 5 * dayMs) });
  await keepHandledDays(db);
  expect(await inbox.keepNew(all)).toEqual(new Set());
  await another.moveCursor('source', others, { cursor: '1', keptSince: new Date(Date.now() - 7 * dayMs) });
  await keepHandledDays(db);
  expect(await inbox.keepNew(all)).toEqual(new Set([old]));
});

test('a day of which ids are in no partition yet gets none, and the next one does', async () => {
  const day = new Date(Date.now() + 30 * 24 * 60 * 60 * 1_000);
  const id = uuidv7({ msecs: day.getTime() });
  await inbox.take(db, [id]);
  await sql`select make_partition('handled_event', ${day}::date), make_partition('handled_event', ${day}::date + 1)`.execute(
    db,
  );
  const { rows } = await sql<{ one: string | null; next: string | null }>`
    select to_regclass('handled_event_' || to_char(${day}::date, 'YYYYMMDD'))::text as one,
      to_regclass('handled_event_' || to_char(${day}::date + 1, 'YYYYMMDD'))::text as next`.execute(db);
  expect(rows).toEqual([{ one: null, next: expect.any(String) as string }]);
  expect(await inbox.keepNew([id])).toEqual(new Set());
});

test('this release and the one before take an event once, also one that was handled before the update', async () => {
  const takeAsBefore = async (on: Kysely<object>, ids: readonly string[]): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      insert into inbox (durable, event_id) select ${durable}, id from unnest(${ids}::uuid[]) as id order by id
      on conflict do nothing returning event_id as id`.execute(on);
    return rows.map(({ id }) => id);
  };
  const [early, byOld, byNew, atOnce] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await sql`alter table inbox disable trigger take_once`.execute(db);
  await takeAsBefore(db, [early]);
  await sql`alter table inbox enable trigger take_once`.execute(db);
  expect(await takeAsBefore(db, [early, byOld])).toEqual([byOld]);
  expect(await inbox.take(db, [early, byOld, byNew])).toEqual(new Set([byNew]));
  expect(await takeAsBefore(db, [byNew, byOld])).toEqual([]);
  expect(await inbox.keepNew([early, byOld, byNew, atOnce])).toEqual(new Set([atOnce]));
  const results = await Promise.all([
    db.transaction().execute((trx) => takeAsBefore(trx, [atOnce])),
    db.transaction().execute((trx) => inbox.take(trx, [atOnce])),
    db.transaction().execute((trx) => takeAsBefore(trx, [atOnce])),
  ]);
  expect(results.flatMap((ids) => [...ids])).toEqual([atOnce]);
});

const logged = (id: string, workspaceId: string = randomUUID()) => ({
  id,
  type: 'parley.test.happened.v1',
  workspaceId,
  about: 'a',
  raisedAt: new Date(),
  payload: Buffer.from('p'),
  traceparent: '',
  cursor: '',
  position: 0,
});

test('workspaces take turns, one replica has the share of each, and its events keep their order', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const ids = Array.from({ length: 4 }, () => uuidv7());
  await inbox.wait(ids.toReversed().map((id) => logged(id, one)));
  await inbox.wait([logged(uuidv7(), other)]);
  expect(await inbox.keepNew(ids)).toEqual(new Set());
  expect(await inbox.listWaiting([one, other, randomUUID()])).toEqual(new Set([one, other]));
  expect([await inbox.countWaiting(), await inbox.countAside()]).toEqual([5, 0]);
  expect(await inbox.claimAside(100)).toEqual([]);
  expect(await another.claimShare(false, 25)).toBeUndefined();

  const share = await inbox.claimShare(false, 25);
  expect([share?.workspaceId, share?.events.map(({ id }) => id)]).toEqual([one, ids]);
  expect(await inbox.claimShare(false, 25)).toMatchObject({
    workspaceId: other,
    events: [{ waitedMs: expect.any(Number) }],
  });
  expect(await inbox.claimShare(false, 25)).toBeUndefined();
  await inbox.endShare(other, { pauseMs: 60_000, isSlow: false });
  await inbox.take(db, ids.slice(0, 2));
  await inbox.endShare(one, { pauseMs: 0, isSlow: false });
  expect((await inbox.claimShare(false, 25))?.events.map(({ id }) => id)).toEqual(ids.slice(2));
  expect(await inbox.claimShare(false, 25)).toBeUndefined();
  await inbox.take(db, ids);
  await inbox.endShare(one, { pauseMs: 0, isSlow: false });
  expect(await inbox.listWaiting([one, other])).toEqual(new Set([other]));
});

test('workspaces that are slow have shares of their own, until a share says otherwise', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await inbox.wait([logged(uuidv7(), one), logged(uuidv7(), other)], { slow: new Set([one]) });
  await inbox.wait([logged(uuidv7(), one)]);
  expect(await inbox.claimShare(false, 25)).toMatchObject({ workspaceId: other, events: [{}] });
  expect(await inbox.claimShare(false, 25)).toBeUndefined();
  expect(await inbox.claimShare(true, 25)).toMatchObject({ workspaceId: one, events: [{}, {}] });
  await inbox.endShare(other, { pauseMs: 0, isSlow: true });
  await inbox.endShare(one, { pauseMs: 0, isSlow: false });
  expect(await inbox.claimShare(true, 25)).toMatchObject({ workspaceId: other });
  expect(await inbox.claimShare(false, 25)).toMatchObject({ workspaceId: one });
});

test('a workspace that becomes slow has a share before those that were slow', async () => {
  const [hangs, waits, shares] = [randomUUID(), randomUUID(), randomUUID()];
  await inbox.wait([logged(uuidv7(), hangs)], { slow: new Set([hangs]) });
  await inbox.wait([logged(uuidv7(), shares)]);
  await inbox.claimShare(true, 25);
  await inbox.claimShare(false, 25);
  await inbox.endShare(hangs, { pauseMs: 0, isSlow: true });
  await inbox.wait([logged(uuidv7(), waits)], { slow: new Set([waits]) });
  await inbox.endShare(shares, { pauseMs: 0, isSlow: true });
  const turn = async () => (await inbox.claimShare(true, 25))?.workspaceId;
  expect(new Set([await turn(), await turn()])).toEqual(new Set([waits, shares]));
  expect(await turn()).toBe(hangs);
});

test('an event that begins to wait while the last share of its workspace ends has a share', async () => {
  const workspaceId = randomUUID();
  const first = logged(uuidv7(), workspaceId);
  await inbox.wait([first]);
  await inbox.claimShare(false, 25);
  await inbox.take(db, [first.id]);
  const trx = await db.startTransaction().execute();
  await inboxOf(trx, durable).wait([logged(uuidv7(), workspaceId)]);
  const ending = inbox.endShare(workspaceId, { pauseMs: 0, isSlow: false });
  await trx.commit().execute();
  await ending;
  expect(await inbox.claimShare(false, 25)).toMatchObject({ workspaceId, events: [{}] });
});

test('concurrent replicas get different events that were put aside, and each only once it is due', async () => {
  const ids = Array.from({ length: 20 }, () => uuidv7());
  for (const id of ids) await inbox.putAside(logged(id), new Error('refused'));
  expect(await inbox.keepNew(ids)).toEqual(new Set());
  expect(await inbox.claimAside(100)).toEqual([]);
  await sql`update event_put_aside set due_at = now()`.execute(db);
  expect(await another.claimAside(100)).toEqual([]);
  const claimed = await Promise.all([inbox.claimAside(10), inbox.claimAside(10), inbox.claimAside(10)]);
  expect(claimed.flatMap((events) => events.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
  expect(await inbox.countAside()).toBe(20);
  await inbox.take(db, ids);
  expect(await inbox.countAside()).toBe(0);
});

test('a share reads no events of other workspaces, however many wait', async () => {
  const [many, one] = [logged(uuidv7(), randomUUID()), logged(uuidv7(), randomUUID())];
  await inbox.wait([many]);
  // More than `analyze` looks at.
  await sql`
    insert into event_put_aside
      (durable, id, type, workspace_id, about, payload, traceparent, raised_at, error, tries, due_at)
    select durable, lpad(to_hex(number), 32, '0')::uuid, type, workspace_id, about, payload, traceparent, raised_at,
      '', 0, due_at
    from event_put_aside, generate_series(1, 100000) as number where durable = ${durable}`.execute(db);
  await inbox.wait([{ ...one, id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }]);
  await sql`analyze event_put_aside`.execute(db);
  await db.transaction().execute(async (trx) => {
    const within = inboxOf(trx, durable);
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
        where relname = 'event_put_aside'`.execute(trx);
      return rows[0]?.read ?? 0;
    };
    const before = await read();
    await within.waitingSince([many.workspaceId, one.workspaceId]);
    await within.waitingSeconds();
    await within.claimShare(false, 25);
    await within.claimShare(false, 25);
    // A share has up to 200.
    expect((await read()) - before).toBeLessThan(300);
  });
});
