import { randomUUID } from 'node:crypto';
import { openDatabase } from '@parley/postgres/connecting/open';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { claimPage, recordPage } from '../src/erasure/anonymisation-store.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';

const ofTest = acrossWorkspaces('a test is about all erasures');

async function openEmpty(): Promise<Kysely<Tables>> {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  const database = stack.use(await createDatabase('customer', migrations));
  return stack.use(openDatabase<Tables>({ url: database.testUrl, logger })).db;
}

/** Adds erasures of a workspace, one after the other. */
async function add(db: Kysely<Tables>, workspaceId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += 1_000) {
    await sql`
      do $$ begin
        for n in ${sql.lit(first)}..${sql.lit(Math.min(count, first + 999))} loop
          insert into anonymisation (workspace_id, customer_id, kind, version, details, asked_again, requested_by,
            first_version, removed_customers)
          values (${sql.lit(workspaceId)}, 'c' || n, 'deletion', 2, '{}', false, 'test', 2, 1);
        end loop;
      end $$`.execute(db);
  }
}

/** Claims a page, and returns it and how many rows that has read. */
const claim = (db: Kysely<Tables>) =>
  db.transaction().execute(async (trx) => {
    const countReads = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`
        ${ofTest}
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
        where relid = 'anonymisation'::regclass`.execute(trx);
      return rows[0]?.read ?? Number.NaN;
    };
    // Reads of earlier transactions of the connection count too.
    const before = await countReads();
    const page = await claimPage(trx);
    return { page, read: (await countReads()) - before };
  });

test.each([['without statistics'], ['analyzed']])(
  'claiming a page reads as much with 5,000 erasures as with 20, %s',
  async (statistics) => {
    const reads: number[] = [];
    for (const count of [20, 5_000]) {
      const db = await openEmpty();
      await add(db, randomUUID(), count);
      await add(db, randomUUID(), 1);
      if (statistics === 'analyzed') await sql`${ofTest} analyze anonymisation`.execute(db);
      for (let claims = 0; claims < 5; claims += 1) reads.push((await claim(db)).read);
    }
    expect(reads.filter((read) => !(read <= 10))).toEqual([]);
  },
);

test('workspaces take turns, whatever the others have waiting, and so do the erasures of a workspace', async () => {
  const db = await openEmpty();
  const [busy, late, later] = [randomUUID(), randomUUID(), randomUUID()];
  await add(db, busy, 100);
  for (let claims = 0; claims < 10; claims += 1) expect((await claim(db)).page?.workspaceId).toBe(busy);
  await add(db, late, 3);
  await add(db, later, 2);
  const claimed: string[] = [];
  for (let claims = 0; claims < 9; claims += 1) {
    const { page } = await claim(db);
    if (!page) throw new Error('no page is due');
    claimed.push(`${page.workspaceId} ${page.customerId}`);
    // It has another page, whose turn comes after the others of its workspace.
    await recordPage(db, page, { interactions: 0, events: 0 }, 'next');
  }
  const of = (id: string): string[] =>
    claimed.filter((one) => one.startsWith(id)).map((one) => one.slice(id.length + 1));
  expect(of(late)).toEqual(['c1', 'c2', 'c3']);
  expect(of(later).slice(0, 2)).toEqual(['c1', 'c2']);
  expect(of(busy)).toEqual(['c11', 'c12', 'c13'].slice(0, of(busy).length));
  expect(of(busy).length).toBeGreaterThan(1);
});
