import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filtered, filtersOf } from '../../src/listing/filters.ts';
import { notice, survey } from '../definitions.ts';
import { changeMany, type Interactions, startInteractions, type Workspace, workspaceOf } from '../fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

type Filters = Parameters<Workspace['list']>[0];

/** Sets columns of an interaction, as the passing of time would. */
const set = (id: string, columns: Record<string, Date | string>): Promise<unknown> =>
  sql`
  update interaction set ${sql.join(
    Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  )}
  where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(system.db);

const day = (number: number, hours = 0): Date => new Date(Date.UTC(2026, 0, number, hours));

/** Every page of a list of small pages, which must all have the same total. */
async function idsOf(filters: Filters): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  const { total } = await workspace.list({ ...filters, pageSize: 3 });
  for (let page = 1; page <= Math.max(1, Math.ceil(total / 3)); page += 1) {
    const list = await workspace.list({ ...filters, page, pageSize: 3 });
    expect(list.total).toBe(total);
    ids.push(...list.interactions.map(({ id }) => id));
  }
  return { ids, total };
}

describe('the list by instants', () => {
  const statuses: Interaction['status'][] = ['Completed', 'Draft', 'Completed', 'Pending'];
  const make = async () => {
    const made = [];
    for (let index = 0; index < 16; index += 1) {
      const status = statuses[index % 4];
      const { id } = await workspace.create({ botId, ...(status && { status }) });
      const createdAt = day(1 + Math.floor(index / 3), index % 24);
      const completedAt = status === 'Completed' ? day(20 - index, 12) : undefined;
      await set(id, { createdAt, ...(completedAt && { completedAt }) });
      made.push({ id, status, createdAt, completedAt });
    }
    return made;
  };

  it('has exactly those of the period, newest first, with exact totals, alone and with other filters', async () => {
    const made = await make();
    const instants = [undefined, day(2, 4), day(3), day(3, 8), day(9)];
    const isIn = (at: Date | undefined, from?: Date, to?: Date): boolean =>
      at !== undefined && (!from || at >= from) && (!to || at < to);
    for (const from of instants) {
      for (const to of instants) {
        for (const status of [undefined, 'Completed' as const]) {
          const created = { ...(from && { createdFrom: from }), ...(to && { createdTo: to }) };
          const completed = { ...(from && { completedFrom: from }), ...(to && { completedTo: to }) };
          const expectedOf = (instant: 'createdAt' | 'completedAt') =>
            made
              .filter((row) => (!from && !to ? true : isIn(row[instant], from, to)))
              .filter((row) => !status || row.status === status)
              .map(({ id }) => id)
              .toReversed();
          const other = status ? { status } : {};
          for (const [filters, expected] of [
            [created, expectedOf('createdAt')],
            [completed, expectedOf('completedAt')],
          ] as const) {
            expect(await idsOf({ ...filters, ...other })).toEqual({ ids: expected, total: expected.length });
          }
        }
      }
    }
  });

  it('may begin and end at any instant', async () => {
    const { id } = await workspace.create({ botId });
    const [first, last] = [new Date(0), new Date('9999-12-31T23:59:59.999Z')];
    for (const name of ['createdFrom', 'updatedFrom', 'completedFrom']) {
      expect(await idsOf({ [name]: last })).toEqual({ ids: [], total: 0 });
    }
    expect(await idsOf({ createdTo: first })).toEqual({ ids: [], total: 0 });
    expect(await idsOf({ createdFrom: first, createdTo: last })).toEqual({ ids: [id], total: 1 });
  });

  it('counts a change as an update, and no other interaction', async () => {
    const first = await workspace.create({ botId });
    const second = await workspace.create({ botId });
    const { rows } = await sql<{ updatedAt: Date }>`
      select updated_at from interaction where workspace_id = ${workspace.workspaceId} and id = ${second.id}`.execute(
      system.db,
    );
    const after = new Date((rows[0]?.updatedAt.getTime() ?? 0) + 1);
    expect(await idsOf({ updatedFrom: after })).toEqual({ ids: [], total: 0 });
    await eventually(async () => {
      await workspace.update(first.id, { priority: 'High' });
      await workspace.update(first.id, { priority: 'Low' });
      expect(await idsOf({ updatedFrom: after })).toEqual({ ids: [first.id], total: 1 });
    });
    expect((await idsOf({})).ids).toEqual([second.id, first.id]);
  });

  it('reads only the entries of the changes from an index, whatever else the workspace has', async () => {
    const { workspaceId } = workspace;
    const { db } = system;
    await changeMany(
      system,
      sql`
      insert into interaction
        (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context, updated_at)
      select uuidv7(), ${workspaceId}, 'ada', ${botId}, (array['Draft', 'Pending', 'Completed', 'Expired'])[n % 4 + 1],
        'Medium', 'Test', 'Test', '[]', now() - n * interval '1 minute'
      from generate_series(1, 8000) as n`,
    );
    await using admin = await openSqlConnection(system.adminUrl);
    await admin.query('analyze interaction.interaction');
    const updatedFrom = new Date(Date.now() - 10 * 60_000);
    const filters = await filtersOf(db, { workspaceId, updatedFrom, evaluation: [] });
    if (!filters) throw new Error('every interaction can match');
    const ids = filtered(db, filters);
    const count = ids.clearSelect().select(sql<number>`count(*)`.as('total'));
    for (const query of [count, ids.orderBy('id', 'desc').limit(20)]) {
      const compiled = query.compile();
      const { rows } = await db.executeQuery({
        ...compiled,
        sql: `explain (analyze, costs off, timing off, summary off) ${compiled.sql}`,
      });
      expect(JSON.stringify(rows)).toMatch(/interaction_outdated.*rows=9\./);
    }
  });
});

describe('the list by evaluation', () => {
  it('has those with exactly these values, also after changes, with exact totals', async () => {
    const long = 'x'.repeat(4_000);
    const evaluations = [
      { score: '9', why: 'Good' },
      { score: '9', why: 'good' },
      { score: '10', why: long },
      { score: '9' },
      {},
    ];
    const made: string[] = [];
    for (const evaluation of evaluations) {
      const { id } = await workspace.create({ botId });
      await set(id, { evaluation: JSON.stringify(evaluation) });
      made.push(id);
    }
    const [first = '', second = '', third = '', fourth = ''] = made;
    await workspace.create({ botId });
    const expectIds = async (filters: Filters, ids: string[]) =>
      expect(await idsOf(filters)).toEqual({ ids, total: ids.length });
    await expectIds({ evaluation: ['score:9'] }, [fourth, second, first]);
    await expectIds({ evaluation: ['score:9', 'why:good'] }, [second]);
    await expectIds({ evaluation: [`why:${long}`] }, [third]);
    await expectIds({ evaluation: ['score:1'] }, []);
    await expectIds({ evaluation: ['score:9'], botId, status: 'Draft' }, [fourth, second, first]);
    await expectIds({ evaluation: ['score:9'], status: 'Completed' }, []);
    await set(second, { evaluation: '{"score":"10"}' });
    await expectIds({ evaluation: ['score:9'] }, [fourth, first]);
    await expectIds({ evaluation: ['score:10'] }, [third, second]);
    await sql`delete from interaction where workspace_id = ${workspace.workspaceId} and id = ${fourth}`.execute(
      system.db,
    );
    await expectIds({ evaluation: ['score:9'] }, [first]);
    const { rows } = await sql`
      select from evaluation_value where workspace_id = ${workspace.workspaceId}`.execute(system.db);
    expect(rows).toHaveLength(5);
  });

  it('has none of another workspace', async () => {
    const { id } = await workspace.create({ botId });
    await set(id, { evaluation: '{"score":"9"}' });
    const other = workspaceOf(system);
    expect(await other.list({ evaluation: ['score:9'] })).toMatchObject({ interactions: [], total: 0 });
    expect(await other.list({ botKey: survey.key })).toMatchObject({ interactions: [], total: 0 });
    expect(await other.list({ createdFrom: day(1) })).toMatchObject({ interactions: [], total: 0 });
  });
});

it('the list by the key of a bot has its interactions', async () => {
  const otherBot = await workspace.publish(notice);
  const first = await workspace.create({ botId });
  await workspace.create({ botId: otherBot });
  expect(await idsOf({ botKey: survey.key })).toEqual({ ids: [first.id], total: 1 });
  expect(await idsOf({ botKey: survey.key, botId })).toEqual({ ids: [first.id], total: 1 });
  expect(await idsOf({ botKey: survey.key, botId: otherBot })).toEqual({ ids: [], total: 0 });
  expect(await idsOf({ botKey: 'nobody' })).toEqual({ ids: [], total: 0 });
});
