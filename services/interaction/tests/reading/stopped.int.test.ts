import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { filtered, filtersOf, versionsThatNeverStall } from '../../src/listing/filters.ts';
import { keepStoppedIndex } from '../../src/changing/late-indexes.ts';
import { stallBatch } from '../../src/changing/stalled-store.ts';
import { migrations } from '../../src/migrations/index.ts';
import type { Tables } from '../../src/schema.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';
import { call, changeMany, type Interactions, startInteractions } from '../fixture.ts';
import { twoQuestions } from '../model/two-questions.ts';

let service: Interactions;
let workspace: WorkspaceWithConversations;
let botId: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  service.people.set('ada', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  botId = await workspace.publish(twoQuestions());
});

/** Holds a conversation up to a question. Returns its id. */
async function reach(step: 'score' | 'why' | 'end'): Promise<string> {
  const { id } = await workspace.offer(botId);
  const session = workspace.session();
  await workspace.begin(session, id);
  if (step === 'score') return id;
  await workspace.post(session, id, { seq: 2, stepId: 'score', answer: { value: 9 } });
  if (step === 'end') await workspace.post(session, id, { seq: 4, stepId: 'why', answer: { skip: true } });
  return id;
}

const expire = (id: string) => workspace.update(id, { status: 'Expired' });

async function stall(id: string): Promise<void> {
  await sql`
    update interaction set stalls_at = now() - interval '1 second'
    where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(service.db);
  await stallBatch(service.db);
}

/** The interactions in the figure of a step, by their facts. */
async function factual(step: string, version?: number): Promise<string[]> {
  const { interactions } = await workspace.list({ pageSize: 50 });
  const conversations = interactions.map(({ id }) => ({
    workspaceId: workspace.workspaceId,
    interactionId: id,
    version: 0,
    isStalled: false,
  }));
  const { facts } = await service.facts.listConversationFacts({ conversations }, call);
  const stopped = facts.filter(
    ({ isImport, isStalled, status, lastStepId, botVersion }) =>
      !isImport &&
      (status === 'Expired' || isStalled) &&
      lastStepId === step &&
      (version === undefined || botVersion === version),
  );
  return stopped.map(({ interactionId }) => interactionId).toSorted();
}

async function listed(step: string, botVersion?: number): Promise<string[]> {
  const filters = { botId, stoppedAt: step, ...(botVersion !== undefined && { botVersion }) };
  const { interactions, total } = await workspace.list({ ...filters, pageSize: 50 });
  expect(total).toBe(interactions.length);
  return interactions.map(({ id }) => id).toSorted();
}

async function publishVersion(definition: object): Promise<void> {
  const { workspaceId } = workspace;
  const request = { workspaceId, id: botId, definition: JSON.stringify(definition), idempotency: null };
  await service.bots.publishBotVersion(request, call);
}

test('the list has the interactions whose facts say that they have stopped there, of all versions or one', async () => {
  await reach('score');
  await reach('end');
  const stalled = await reach('score');
  await stall(stalled);
  const expired = await reach('why');
  await expire(expired);
  const reopened = await reach('why');
  await expire(reopened);
  await workspace.update(reopened, { status: 'Pending', expirySeconds: 600 });
  const again = await reach('why');
  await stall(again);
  await workspace.create({ botId, status: 'Expired' });
  const { id: untouched } = await workspace.offer(botId);
  await expire(untouched);

  await publishVersion({ ...twoQuestions(), stalledAfterSeconds: null });
  await reach('score');
  const neverStalls = await reach('score');
  await expire(neverStalls);

  for (const step of ['score', 'why', 'bye', 'nowhere']) {
    for (const version of [undefined, 1, 2, 3]) {
      expect([step, version, await listed(step, version)]).toEqual([
        step,
        version,
        await factual(step, version),
      ]);
    }
  }
  expect(await listed('score')).toEqual([stalled, neverStalls].toSorted());
  expect(await listed('why')).toEqual([expired, again].toSorted());

  await workspace.post(workspace.session(), again, { seq: 4, stepId: 'why', answer: { skip: true } });
  expect(await listed('why')).toEqual([expired]);
});

test('a bot is needed, and another workspace has none of them', async () => {
  await expire(await reach('why'));
  await expect(workspace.list({ stoppedAt: 'why' })).rejects.toMatchObject({ code: 'invalid_argument' });
  const other = workspaceWithConversations(service);
  expect(await other.list({ botId, stoppedAt: 'why' })).toMatchObject({ interactions: [], total: 0 });
  expect(await workspace.list({ botKey: 'two-questions', stoppedAt: 'why' })).toMatchObject({ total: 1 });
});

test('pages are in the order of creation, and in a window', async () => {
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1) made.push(await reach('why'));
  for (const id of made) await expire(id);
  const days = made.map((_, index) => new Date(Date.UTC(2026, 0, 5 - index)));
  for (const [index, id] of made.entries())
    await sql`
      update interaction set created_at = ${days[index]} where workspace_id = ${workspace.workspaceId}
      and id = ${id}`.execute(service.db);
  const filters = { botId, stoppedAt: 'why', pageSize: 2 };
  const pages = await Promise.all([1, 2, 3, 4].map((page) => workspace.list({ ...filters, page })));
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  expect(pages.flatMap(({ interactions }) => interactions.map(({ id }) => id))).toEqual(made);
  const [, second, third] = days;
  const window = { createdFrom: third ?? new Date(), createdTo: second ?? new Date() };
  expect(await workspace.list({ ...filters, ...window })).toMatchObject({
    total: 1,
    interactions: [{ id: made[2] }],
  });
});

test('the list reads the index of stopped interactions only', async () => {
  const { db } = service;
  const { workspaceId } = workspace;
  await changeMany(
    service,
    sql`
    insert into interaction (id, workspace_id, customer_id, bot_id, bot_version, status, priority, type, type_label,
      context, state, created_at)
    select uuidv7(), ${workspaceId}, 'ada', ${botId}, 1, case when n % 100 = 0 then 'Expired' else 'InProgress' end,
      'Medium', 'Test', 'Test', '[]', '{"stepId":"why","steps":[{"id":"score"},{"id":"why"}]}',
      now() - n * interval '1 minute'
    from generate_series(1, 5000) as n`,
  );
  await changeMany(
    service,
    sql`
    update interaction set stalls_at = now() + interval '1 day'
    where workspace_id = ${workspaceId} and status = 'InProgress'`,
  );
  await sql`analyze interaction`.execute(db);
  const filters = await filtersOf(db, { workspaceId, botId, stoppedAt: 'why', evaluation: [] });
  if (!filters) throw new Error('there is no such bot');
  const compiled = filtered(db, filters)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .compile();
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>({
    ...compiled,
    sql: `explain (analyze, costs off, timing off, summary off) ${compiled.sql}`,
  });
  const plan = JSON.stringify(rows);
  expect(plan).toContain('interaction_stopped');
  expect(plan).not.toMatch(/Sort|Seq Scan/);
  expect(await listed('why')).toHaveLength(50);
});

test('interactions from before the migration are in the list', async () => {
  await using database = await createDatabase('interaction');
  const names = Object.keys(migrations).filter((name) => name < '0004');
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  await migrate({ url: database.url, logger }, before);
  await using opened = openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 3 });
  const { db } = opened;
  const [workspaceId, bot] = [uuidv7(), uuidv7()];
  await sql`
    insert into bot (id, workspace_id, key, name, type, type_label, context)
    values (${bot}, ${workspaceId}, 'b', 'B', 'T', 'T', '{}')`.execute(db);
  const definitions = ['{"stalledAfterSeconds" : null}', '{"name":"\\"stalledAfterSeconds\\":null \\u0000"}'];
  for (const [index, definition] of definitions.entries())
    await sql`
      insert into bot_version (bot_id, workspace_id, version, definition, digest, published_by)
      values (${bot}, ${workspaceId}, ${index + 1}, ${definition}, '', '')`.execute(db);
  const add = async (status: string, state: object, version: number): Promise<string> => {
    const id = uuidv7();
    await sql`
      insert into interaction (id, workspace_id, customer_id, bot_id, bot_version, status, priority, type, type_label,
        context, state)
      values (${id}, ${workspaceId}, 'ada', ${bot}, ${version}, ${status}, 'Medium', 'T', 'T', '[]',
        ${JSON.stringify(state)})`.execute(db);
    return id;
  };
  const old = await add('Expired', { stepId: 'why' }, 1);
  const stalled = await add('InProgress', { stepId: null, steps: [{ id: 'a' }, { id: 'why' }] }, 2);
  await add('InProgress', { stepId: 'why' }, 1);
  await add('Completed', { stepId: null, steps: [{ id: 'why' }] }, 2);
  await migrate({ url: database.url, logger }, migrations);
  // The migration touches no row, so that writes do not wait.
  const filled = async (): Promise<unknown[]> =>
    (await sql`select last_step from interaction where last_step is not null`.execute(db)).rows;
  expect(await filled()).toEqual([]);
  await using _ = keepStoppedIndex({ db, url: database.url, logger });
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_index where indexrelid = to_regclass('interaction_stopped') and indisvalid`.execute(db);
    expect(rows).toHaveLength(1);
  });
  expect(await filled()).toHaveLength(3);
  expect(await versionsThatNeverStall(db, workspaceId, bot)).toEqual([1]);
  const request = { workspaceId, botId: bot, stoppedAt: 'why', evaluation: [] };
  const filters = await filtersOf(db, request);
  const rows = filters ? await filtered(db, filters).orderBy('id').execute() : [];
  expect(rows.map(({ id }) => id)).toEqual([old, stalled]);
});
