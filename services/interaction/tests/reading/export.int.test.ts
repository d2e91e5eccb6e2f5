import type {
  ExportedInteraction,
  ExportInteractionsRequest,
} from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import { openSqlConnection } from '@parley/testing/database/sql';
import type { AppError } from '@parley/runtime/errors';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scannedMax } from '../../src/exporting/export-store.ts';
import { notice, survey } from '../definitions.ts';
import {
  call,
  changeMany,
  type Interactions,
  startInteractions,
  type Workspace,
  workspaceOf,
} from '../fixture.ts';

// An export ends before the oldest transaction of the whole server, so transactions of other tests would hold it back.
const stack = new AsyncDisposableStack();
let system: Interactions;
beforeAll(async () => {
  const { url: adminUrl } = stack.use(await startOwnPostgres('export'));
  system = stack.use(await startInteractions({ adminUrl }));
});
afterAll(() => stack.disposeAsync());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

type Filters = Partial<ExportInteractionsRequest>;

const pageFrom = ({ interactions }: Interactions, filters: Filters, { workspaceId } = workspace) =>
  interactions.exportInteractions(
    { workspaceId, cursor: '', evaluation: [], withUnsettled: false, isFirst: false, ...filters },
    call,
  );
const pageOf = (filters: Filters, of = workspace) => pageFrom(system, filters, of);

/** All pages of an export. Waits for transactions that still end, such as a schedule's. */
const exportOf = (filters: Filters = {}): Promise<Exported> => exportFrom(system, filters);

async function exportFrom(from: Interactions, filters: Filters): Promise<Exported> {
  return eventually(async () => {
    const exported = await exportNow(filters, from);
    expect(exported.hasUnsettled).toBe(false);
    return exported;
  });
}

interface Exported {
  rows: ExportedInteraction[];
  cursor: string;
  hasUnsettled: boolean;
}

/** All pages of an export without what is not settled. */
async function exportNow(filters: Filters = {}, from = system): Promise<Exported> {
  const rows: ExportedInteraction[] = [];
  let { cursor = '' } = filters;
  for (;;) {
    const page = await pageFrom(from, { ...filters, cursor });
    rows.push(...page.interactions);
    ({ cursor } = page);
    if (!page.hasMore) return { rows, cursor, hasUnsettled: page.hasUnsettled };
  }
}

const idsOf = ({ rows }: Pick<Exported, 'rows'>) => rows.map(({ interaction }) => interaction?.id);

const make = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await workspace.create({ botId })).id);
  return ids;
};

describe('an export', () => {
  it('has every interaction in the order of its last change', async () => {
    const [first = '', second = '', third = ''] = await make(3);
    await workspace.update(first, { priority: 'High' });
    expect(idsOf(await exportOf())).toEqual([second, third, first]);
  });

  it('goes on behind any of its cursors, and has later changes only', async () => {
    const ids = await make(4);
    const { rows, cursor } = await exportOf();
    for (const [index, row] of rows.entries()) {
      expect(idsOf(await exportOf({ cursor: row.cursor }))).toEqual(ids.slice(index + 1));
    }
    expect(await exportOf({ cursor })).toMatchObject({ rows: [], cursor });
    await workspace.update(ids[1] ?? '', { status: 'Pending' });
    const { rows: later } = await exportOf({ cursor });
    expect(later).toMatchObject([{ interaction: { id: ids[1], status: 'Pending' }, botKey: survey.key }]);
  });

  it('has what its filters match, and stops after a number of others', async () => {
    const { workspaceId } = workspace;
    const [first = ''] = await make(2);
    await changeMany(
      system,
      sql`
      insert into interaction (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context)
      select uuidv7(), ${workspaceId}, 'grace', ${botId}, 'Draft', 'Low', 'NPS', 'NPS', '[]'
      from generate_series(1, ${scannedMax})`,
    );
    const last = await workspace.create({ botId, customerId: 'ada' });
    expect(idsOf(await exportOf({ customerId: 'ada', priority: 'Medium' }))).toHaveLength(3);
    const page = await pageOf({ customerId: 'ada' });
    expect([page.interactions.length, page.hasMore]).toEqual([2, true]);
    const rest = await exportOf({ customerId: 'ada', cursor: page.cursor });
    expect(idsOf(rest)).toEqual([last.id]);
    expect(idsOf({ rows: page.interactions })[0]).toBe(first);
  });

  it('comes in pages of 64 KiB, or one interaction', async () => {
    const ids = await make(5);
    await sql`
      update interaction set evaluation = '{}', transcript = json_build_array(json_build_object(
        'seq', 1, 'type', 'bot', 'body', repeat('x', 25000), 'timestamp', 1.5))
      where workspace_id = ${workspace.workspaceId}`.execute(system.db);
    // Waits until the update is settled.
    await exportOf();
    const page = await pageOf({});
    expect([page.interactions.length, page.hasMore]).toEqual([2, true]);
    expect(new Set(idsOf(await exportOf()))).toEqual(new Set(ids));
  });

  it('has nothing of another workspace, and rejects a text that is no cursor', async () => {
    const [first = ''] = await make(1);
    const { cursor } = await exportOf();
    const other = workspaceOf(system);
    for (const filters of [{}, { botId }, { botKey: survey.key }, { cursor: '' }, { customerId: 'ada' }]) {
      expect((await pageOf(filters, other)).interactions).toEqual([]);
    }
    expect((await pageOf({ cursor }, other)).interactions).toEqual([]);
    expect(first).not.toBe('');
    for (const text of ['x', `0${cursor}`, `x${uuidv7()}`, Buffer.from('s 07 i 1').toString('base64url')])
      await expect(pageOf({ cursor: text })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a transaction that commits late', () => {
  /** Changes an interaction in a transaction that stays open until the returned function is called. */
  const changeLate = async (id: string, priority: string): Promise<() => Promise<void>> => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const ended = system.db.transaction().execute(async (trx) => {
      await sql`
        update interaction set priority = ${priority}, version = version + 1
        where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(trx);
      begun.resolve();
      await mayEnd.promise;
    });
    await begun.promise;
    return async () => {
      mayEnd.resolve();
      await ended;
    };
  };

  it('is missed neither by a cursor nor by updatedFrom of what was exported before', async () => {
    const [first = '', second = '', third = ''] = await make(3);
    const commit = await changeLate(second, 'High');
    // Later than the change, and committed before it.
    await workspace.update(third, { priority: 'High' });
    await make(1);
    const before = await eventually(async () => {
      const exported = await exportNow();
      expect(idsOf(exported)).toEqual([first, second]);
      return exported;
    });
    expect(before.hasUnsettled).toBe(true);
    await commit();
    const after = idsOf(await exportOf({ cursor: before.cursor }));
    expect(after.slice(0, 2)).toEqual([second, third]);
    expect(after).toHaveLength(3);
    const updatedFrom = before.rows.at(-1)?.updatedAt;
    if (!updatedFrom) throw new Error('an exported interaction has no updatedAt');
    expect(idsOf(await exportOf({ updatedFrom }))).toEqual(expect.arrayContaining([second, third]));
  });

  it('delays nothing in an export that cannot be continued', async () => {
    const [first = '', second = '', third = ''] = await make(3);
    const commit = await changeLate(second, 'High');
    await workspace.update(first, { priority: 'High' });
    expect(idsOf(await exportOf({ withUnsettled: true }))).toEqual([second, third, first]);
    await commit();
  });
});

describe('after the data have moved', () => {
  const isExpired = { code: 'gone', type: 'cursor-expired' };

  it('to another server, a cursor names the instant from which a client reads on without a gap', async () => {
    await using other = await startOtherServer();
    const ids = await make(3);
    const { cursor, rows } = await exportOf();
    // Changes that this client has not read yet.
    await workspace.update(ids[0] ?? '', { priority: 'High' });
    await moveRows(system.adminUrl, other.system.adminUrl);
    // The other server has had far fewer transactions.
    expect(await countTransactions(other.system)).toBeLessThan(await countTransactions(system));
    const exportThere = (filters: Filters) => exportFrom(other.system, filters);
    for (const old of [cursor, rows[0]?.cursor ?? '']) {
      const failure = await exportNow({ cursor: old }, other.system).then(
        () => expect.unreachable('the cursor is of another server'),
        (error: unknown) => error as AppError,
      );
      expect(failure).toMatchObject(isExpired);
      const [, instant = ''] = /updatedFrom: (\S+)$/.exec(failure.message) ?? [];
      const later = await exportThere({ updatedFrom: new Date(instant) });
      expect(idsOf(later)).toContain(ids[0]);
    }
    const [first = '', ...rest] = ids;
    const whole = await exportThere({});
    expect(new Set(idsOf(whole))).toEqual(new Set(ids));
    // Times are when the changes were made, and new cursors continue.
    const instantsOf = (exported: Exported) =>
      new Set(exported.rows.map(({ updatedAt }) => Number(updatedAt)));
    expect(instantsOf(whole)).toEqual(instantsOf(await exportOf()));
    const changed = workspaceOf(other.system, workspace.workspaceId);
    await changed.update(first, { priority: 'Low' });
    expect(idsOf(await exportThere({ cursor: whole.cursor }))).toEqual([first]);
    expect(rest).toHaveLength(2);
  });

  it('into a table that was restored from a dump, a cursor is expired', async () => {
    await make(1);
    const { cursor } = await exportOf();
    await sql`alter table interaction rename to interaction_before`.execute(system.db);
    try {
      await sql`create table interaction (like interaction_before including all)`.execute(system.db);
      await expect(pageOf({ cursor })).rejects.toMatchObject(isExpired);
      await sql`drop table interaction`.execute(system.db);
    } finally {
      await sql`alter table interaction_before rename to interaction`.execute(system.db);
    }
    expect(await exportOf({ cursor })).toMatchObject({ rows: [] });
  });

  it('a cursor of the first release, which names no store, continues a running export only', async () => {
    const [id = ''] = await make(1);
    const cursor = `17.${uuidv7()}`;
    await expect(pageOf({ cursor, isFirst: true })).rejects.toMatchObject(isExpired);
    expect(idsOf(await exportOf({ cursor }))).toEqual([id]);
  });
});

const countTransactions = async ({ db }: Interactions): Promise<number> => {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
  return Number(rows[0]?.id);
};

/** The interaction service with another Postgres. */
async function startOtherServer(): Promise<{ system: Interactions } & AsyncDisposable> {
  const started = new AsyncDisposableStack();
  const { url: adminUrl } = started.use(await startOwnPostgres('moved'));
  const other = started.use(await startInteractions({ adminUrl }));
  return { system: other, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Copies the rows of all tables as a dump of the data does: no trigger runs. */
async function moveRows(fromUrl: string, toUrl: string): Promise<void> {
  await using from = await openSqlConnection(fromUrl);
  await using to = await openSqlConnection(toUrl);
  await to.query("set session_replication_role = 'replica'");
  const tables = ['bot', 'bot_version', 'interaction'];
  for (const table of tables) {
    const [found] = await from.query<{ rows: string }>(
      `select coalesce(json_agg(${table}), '[]')::text as rows from interaction.${table}`,
    );
    const [columns] = await to.query<{ names: string }>(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = 'interaction.${table}'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
    );
    await to.query(
      `insert into interaction.${table} (${columns?.names}) overriding system value
       select ${columns?.names} from json_populate_recordset(null::interaction.${table}, $1)`,
      [found?.rows],
    );
  }
}

it('the keys of evaluations are those of all versions of the bot, of the newest first', async () => {
  const { workspaceId } = workspace;
  const changed = { ...survey, evaluation: { extra: {}, reason: {}, score: {} } };
  const definition = JSON.stringify(changed);
  await system.bots.publishBotVersion({ workspaceId, id: botId, definition, idempotency: null }, call);
  const keysOf = async (bot: { id?: string; key?: string }, of = workspaceId) =>
    (await system.bots.listEvaluationKeys({ workspaceId: of, ...bot }, call)).keys;
  expect(await keysOf({ key: survey.key })).toEqual(['extra', 'reason', 'score']);
  expect(await keysOf({ id: botId })).toEqual(['extra', 'reason', 'score']);
  expect(await keysOf({ id: botId, key: 'other' })).toEqual([]);
  expect(await keysOf({ key: survey.key }, uuidv7())).toEqual([]);
  await workspace.publish(notice);
  expect(await keysOf({ key: notice.key })).toEqual([]);
});
