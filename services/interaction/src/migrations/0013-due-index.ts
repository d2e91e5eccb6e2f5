import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';
import { createDueIndex, replacedDueIndex } from '../due-sql.ts';

/** Finds what is due in a workspace. `keepDueIndex` builds the index of a table with rows: no write waits for it. */
export const dueIndex: Migration = {
  up: async (db) => {
    const { rows } = await sql`select from interaction limit 1`.execute(db);
    if (rows.length > 0) return;
    await createDueIndex(db, 'create index');
    await sql`drop index ${sql.table(replacedDueIndex)}`.execute(db);
  },
};
