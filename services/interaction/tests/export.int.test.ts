import type {
  ExportedInteraction,
  ExportInteractionsRequest,
} from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { startOwnPostgres } from '@parley/testing/own-postgres';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scannedMax } from '../src/interactions/export-store.ts';
import { notice, survey } from './definitions.ts';
import { call, type Interactions, startInteractions, type Workspace, workspaceOf } from './fixture.ts';

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

const pageOf = (filters: Filters, { workspaceId } = workspace) =>
  system.interactions.exportInteractions(
    { workspaceId, cursor: '', evaluation: [], withUnsettled: false, isFirst: false, ...filters },
    call,
  );

/** All pages of an export. Waits for transactions that still end, such as those of schedules. */
async function exportOf(filters: Filters = {}): Promise<Exported> {
  return eventually(async () => {
    const exported = await exportNow(filters);
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
async function exportNow(filters: Filters = {}): Promise<Exported> {
  const rows: ExportedInteraction[] = [];
  let { cursor = '' } = filters;
  for (;;) {
    const page = await pageOf({ ...filters, cursor });
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
    await sql`
      insert into interaction (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context)
      select uuidv7(), ${workspaceId}, 'grace', ${botId}, 'Draft', 'Low', 'NPS', 'NPS', '[]'
      from generate_series(1, ${scannedMax})`.execute(system.db);
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
    for (const text of ['x', `0${cursor}`, `00009.${uuidv7()}`, `18446744073709551616.${uuidv7()}`])
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

  it('is not waited for in another database that was restored: all of its interactions are exported', async () => {
    const ids = await make(2);
    // As rows of a server that had more transactions.
    const stamp = (transaction: RawBuilder<unknown>) =>
      sql`
      update interaction set changed_in = ${transaction} where workspace_id = ${workspace.workspaceId}`.execute(
        system.db,
      );
    await stamp(sql`'4611686018427387904'::xid8`);
    const restored = await exportOf();
    expect(idsOf(restored)).toEqual(ids);
    // As the operator does, so that cursors continue.
    await stamp(sql`pg_current_xact_id()`);
    const { rows, cursor } = await exportOf();
    const instantsOf = (exported: ExportedInteraction[]) => exported.map(({ updatedAt }) => updatedAt);
    expect(instantsOf(rows)).toEqual(instantsOf(restored.rows));
    const later = await make(1);
    expect(idsOf(await exportOf({ cursor }))).toEqual(later);
  });
});

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
