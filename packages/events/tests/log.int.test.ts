import { randomUUID } from 'node:crypto';
import { customerAnonymised, interactionCompleted } from '@parley/contracts/events';
import type { ListEventsRequest } from '@parley/contracts/events/v1/log';
import { type LogTables, newEvent, numberEvents, scannedMax } from '@parley/events/log';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { event, events, type Pipeline, startPipeline } from './pipeline.ts';

let system: Pipeline;
beforeAll(async () => {
  system = await startPipeline();
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => system.admin.query('truncate interaction.event_log'));

const otherType = 'parley.test.happened.v1';
const list = (request: Partial<ListEventsRequest> = {}) =>
  system.log.listEvents(
    { after: '', types: [], limit: 0, fromNow: false, ...request },
    { requestId: 'test', timeoutMs: 30_000 },
  );

/** Adds events, every third of another type. Returns their ids once they have their places, in order. */
async function logged(count: number): Promise<{ id: string; type: string }[]> {
  const rows = events(count).map((one, index) => ({
    ...newEvent(interactionCompleted, one),
    ...(index % 3 === 0 && { type: otherType }),
  }));
  await system.db.insertInto('eventLog').values(rows).execute();
  while ((await numberEvents(system.db, 500)).length > 0);
  return rows.map(({ id, type }) => ({ id, type }));
}

test('with two relays, a reader gets every event once and in the order of places, however late it commits', async () => {
  const relays = [system.startRelay(), system.startRelay()];
  const count = 300;
  const raising = async (): Promise<void> => {
    await using connection = await openSqlConnection(system.adminUrl);
    for (let index = 0; index < count / 6; index += 1) {
      const row = newEvent(interactionCompleted, event());
      await connection.query('begin');
      await connection.query(
        'insert into interaction.event_log (id, type, workspace_id, about, payload) values ($1, $2, $3, $4, $5)',
        [row.id, row.type, row.workspaceId, row.about, row.payload],
      );
      for (const relay of relays) relay.wake();
      await connection.query('commit');
    }
  };
  const seen: { id: string; position: number }[] = [];
  const reading = async (): Promise<void> => {
    for (let after = ''; seen.length < count; ) {
      const page = await list({ after, limit: 7 });
      seen.push(...page.events);
      after = page.cursor;
    }
  };
  await Promise.all([reading(), ...Array.from({ length: 6 }, raising)]);
  for (const relay of relays) await relay[Symbol.asyncDispose]();
  const rows = await system.admin.query<{ id: string; position: number }>(
    'select id, position::int from interaction.event_log order by position',
  );
  expect(rows).toHaveLength(count);
  expect(seen.map(({ id, position }) => ({ id, position }))).toEqual(rows);
  expect(new Set(rows.map(({ position }) => position)).size).toBe(count);
});

test('no place becomes visible before a lower one', async () => {
  const [first, late] = [newEvent(interactionCompleted, event()), newEvent(interactionCompleted, event())];
  await system.db.insertInto('eventLog').values(first).execute();
  let waiting: ReturnType<typeof numberEvents> | undefined;
  await system.db.transaction().execute(async (trx) => {
    expect(await numberEvents<LogTables>(trx, 1)).toMatchObject([{ id: first.id }]);
    const raisedAt = new Date(Date.now() - 1_000);
    await system.db
      .insertInto('eventLog')
      .values({ ...late, raisedAt })
      .execute();
    // It could have the late one, which comes first in the order of time.
    waiting = numberEvents(system.db, 1);
    await eventually(async () => {
      const locks = await system.admin.query(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`);
      expect(locks).toHaveLength(1);
    });
    expect((await list()).events).toEqual([]);
  });
  expect(await waiting).toMatchObject([{ id: late.id }]);
  expect((await list()).events.map(({ id }) => id)).toEqual([first.id, late.id]);
});

test('a list proceeds in pages of the types, from the beginning or behind any of its events', async () => {
  const all = await logged(1_100);
  const whole = await list();
  expect([whole.events.length, whole.hasMore]).toEqual([500, true]);
  expect(whole.events.map(({ id, type }) => ({ id, type }))).toEqual(all.slice(0, 500));
  const tenth = whole.events[9]?.cursor ?? '';
  expect((await list({ after: tenth, limit: 1 })).events.map(({ id }) => id)).toEqual([all[10]?.id]);

  const read: string[] = [];
  let page = await list({ types: [otherType], limit: 100 });
  for (; page.hasMore; page = await list({ after: page.cursor, types: [otherType], limit: 100 })) {
    expect(page.events).toHaveLength(100);
    read.push(...page.events.map(({ id }) => id));
  }
  read.push(...page.events.map(({ id }) => id));
  expect(read).toEqual(all.flatMap(({ id, type }) => (type === otherType ? id : [])));
  // The last cursor is behind the events of other types too.
  expect(await list({ after: page.cursor })).toMatchObject({
    events: [],
    cursor: page.cursor,
    hasMore: false,
  });
});

test('a page looks at a limited number of events, and the next ones find those of a rare type', async () => {
  await system.admin.query(
    `insert into interaction.event_log (id, position, type, workspace_id, about, payload)
     select gen_random_uuid(), nextval('interaction.event_position'), 'parley.test.common.v1', gen_random_uuid(), '', ''
     from generate_series(1, $1)`,
    [2 * scannedMax],
  );
  const [rare] = await logged(1);
  const types = [otherType];
  const pages = [await list({ types })];
  while (pages.at(-1)?.hasMore) pages.push(await list({ types, after: pages.at(-1)?.cursor ?? '' }));
  expect(pages.map(({ events }) => events.map(({ id }) => id))).toEqual([[], [], [rare?.id]]);
});

test('an event of a list has the values of its message, and the answer says how far the log reaches', async () => {
  const message = event();
  const row = { ...newEvent(interactionCompleted, message), traceparent: 'a-trace' };
  await system.db.insertInto('eventLog').values(row).execute();
  expect((await list()).events).toEqual([]);
  await numberEvents(system.db, 1);
  const { events: found, now, keptSince } = await list();
  const [first] = found;
  expect(first).toMatchObject({ ...row, raisedAt: expect.any(Date) as Date });
  expect(interactionCompleted.message.decode(first?.payload ?? Buffer.of())).toEqual({
    ...message,
    isTest: null,
  });
  expect((now?.getTime() ?? 0) - (keptSince?.getTime() ?? 0)).toBe(30 * 24 * 60 * 60 * 1_000);
});

test('from now, a list has no events, and its cursor is behind all so far', async () => {
  const empty = await list({ fromNow: true });
  expect(empty).toMatchObject({ events: [], hasMore: false });
  const earlier = await logged(10);
  expect((await list({ after: empty.cursor })).events.map(({ id }) => id)).toEqual(
    earlier.map(({ id }) => id),
  );
  const { events: none, cursor } = await list({ fromNow: true });
  expect(none).toEqual([]);
  const later = await logged(2);
  const { events: found } = await list({ after: cursor, fromNow: true });
  expect(found.map(({ id }) => id)).toEqual(later.map(({ id }) => id));
});

test('a cursor of another log counts as the beginning, and a text that is no cursor is rejected', async () => {
  const all = await logged(3);
  const { cursor } = await list();
  const [position] = cursor.split('.');
  const foreign = await list({ after: `${position}.${randomUUID()}` });
  expect(foreign.events.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  for (const after of ['x', '1', `-1.${randomUUID()}`, `1.${'x'.repeat(36)}`, `${'9'.repeat(16)}.`]) {
    await expect(list({ after })).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/after' }],
    });
  }
});

test('an answer states until when events have their places', async () => {
  await logged(3);
  const complete = await list();
  expect(complete.completeUntil?.getTime()).toBeLessThanOrEqual(complete.now?.getTime() ?? 0);

  const raisedAt = new Date(Date.now() - 1_000);
  await system.db
    .insertInto('eventLog')
    .values(
      [event(), event()].map((one, index) => ({
        ...newEvent(interactionCompleted, one),
        raisedAt: new Date(raisedAt.getTime() + index),
      })),
    )
    .execute();
  expect(await list()).toMatchObject({ events: { length: 3 }, completeUntil: raisedAt });
  expect(await list({ fromNow: true })).toMatchObject({ completeUntil: raisedAt });
  await numberEvents(system.db, 500);
  const later = await list();
  expect(later.events).toHaveLength(5);
  expect(later.completeUntil?.getTime()).toBeGreaterThan(raisedAt.getTime() + 1);
});

test('a consumer of another team is told which types it would never get, and nobody can ask for thousands', async () => {
  const request = { after: '', limit: 0, fromNow: false };
  const call = { requestId: 'test', timeoutMs: 30_000 };
  const known = interactionCompleted.subject;
  const typo = 'parley.interaction.complete.v1';
  await expect(
    system.consumerLog.listEvents({ ...request, types: [known, typo] }, call),
  ).rejects.toMatchObject({
    code: 'invalid_argument',
    faults: [{ pointer: '/types/1' }],
  });
  expect(await system.consumerLog.listEvents({ ...request, types: [known] }, call)).toMatchObject({
    events: [],
  });
  // The log of another service has them: no answer would ever have one.
  const foreign = customerAnonymised.subject;
  await expect(system.consumerLog.listEvents({ ...request, types: [foreign] }, call)).rejects.toMatchObject({
    code: 'invalid_argument',
    faults: [{ pointer: '/types', detail: expect.stringContaining('parley.interaction.*') }],
  });
  for (const types of [[foreign, known], []])
    expect(await system.consumerLog.listEvents({ ...request, types }, call)).toMatchObject({
      hasMore: false,
    });
  // A service of a later release knows more types.
  expect(await list({ types: [known, typo] })).toMatchObject({ events: [] });
  const many = Array.from({ length: 10_000 }, () => known);
  for (const log of [system.log, system.consumerLog]) {
    await expect(log.listEvents({ ...request, types: many }, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/types' }],
    });
  }
});
