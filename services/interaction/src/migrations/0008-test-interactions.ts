import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';
import { createTestIndex } from '../test-sql.ts';

/** Marks test interactions. `keepTestIndex` builds the index of a table with rows: no write waits for it. */
export const testInteractions: Migration = {
  up: async (db) => {
    await sql`alter table interaction add column is_test boolean not null default false`.execute(db);
    const { rows } = await sql`select from interaction limit 1`.execute(db);
    if (rows.length === 0) await createTestIndex(db, 'create index');
  },
};
