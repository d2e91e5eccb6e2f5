import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { dueOf, expireDue } from '../../src/changing/expiry-store.ts';
import { keepDueIndex } from '../../src/changing/late-indexes.ts';
import { migrations } from '../../src/migrations/index.ts';
import type { Tables } from '../../src/schema.ts';

// Lists look for what is due in their workspace, while very much may be due in others.

/** Adds interactions of a workspace that expire later. */
async function add(db: Kysely<Tables>, workspaceId: string, count: number): Promise<void> {
  const bot = uuidv7();
  await sql`
    insert into bot (id, workspace_id, key, name, type, type_label, context)
    values (${bot}, ${workspaceId}, 'b', 'B', 'T', 'T', '{}')`.execute(db);
  await sql`
    insert into interaction (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context, expires_at)
    select uuidv7(), ${workspaceId}, 'ada', ${bot}, 'Pending', 'Medium', 'T', 'T', '[]', timestamptz '2100-01-01' + n * interval '1 second'
    from generate_series(1, ${count}::int) as n`.execute(db);
}

/** Lets the first ones be due. The planner does not know. */
async function makeDue(db: Kysely<Tables>, workspaceId: string, count: number): Promise<void> {
  await sql`
    update interaction set expires_at = now() - interval '1 second' where workspace_id = ${workspaceId} and id = any(array(
      select id from interaction where workspace_id = ${workspaceId} order by id limit ${count}::int))`.execute(
    db,
  );
}

async function indexesOf(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    ${acrossWorkspaces('a test')}
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = 'interaction'::regclass and indisvalid and relname = any('{interaction_due,interaction_expires_at_idx}')`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

async function planOf(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const compiled = dueOf(db, workspaceId, new Date()).orderBy('expiresAt').limit(500).compile();
  const { rows } = await db.executeQuery({
    ...compiled,
    sql: `explain (analyze, costs off, timing off, summary off) ${compiled.sql}`,
  });
  return JSON.stringify(rows);
}

test('what is due in a workspace is found without the rows of others, also after an update of a table with rows', async () => {
  await using database = await createDatabase('interaction');
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0013'));
  await migrate({ url: database.url, logger }, before);
  await using opened = openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 3 });
  const { db } = opened;
  const [own, other] = [uuidv7(), uuidv7()];
  for (const workspaceId of [own, other]) await add(db, workspaceId, 3_000);
  await sql`analyze interaction`.execute(db);
  await makeDue(db, other, 3_000);
  await makeDue(db, own, 2);
  expect(await planOf(db, own)).toContain('Rows Removed by Filter: 3000');
  await migrate({ url: database.url, logger }, migrations);
  // The migration builds no index, so that writes do not wait.
  expect(await indexesOf(db)).toEqual(['interaction_expires_at_idx']);
  await using _ = keepDueIndex({ db, url: database.url, logger });
  await eventually(async () => expect(await indexesOf(db)).toEqual(['interaction_due']));
  const plan = await planOf(db, own);
  expect(plan).toMatch(/interaction_due .*rows=2\b/);
  expect(plan).not.toContain('Rows Removed');
});

test('a new database has only the index that finds what is due in a workspace', async () => {
  await using database = await createDatabase('interaction', migrations);
  await using opened = openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 3 });
  expect(await indexesOf(opened.db)).toEqual(['interaction_due']);
});

test('a call expires no more of its workspace than it has time for, and the next ones go on', async () => {
  await using database = await createDatabase('interaction', migrations);
  await using opened = openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 3 });
  const { db } = opened;
  const workspaceId = uuidv7();
  await add(db, workspaceId, 1_200);
  await makeDue(db, workspaceId, 1_200);
  const left = async () => (await dueOf(db, workspaceId, new Date()).execute()).length;
  await expireDue(db, workspaceId, 0);
  expect(await left()).toBe(700);
  await expireDue(db, workspaceId);
  expect(await left()).toBe(0);
});
