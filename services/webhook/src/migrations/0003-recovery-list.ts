import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const recoveryList: Migration = {
  up: async (db) => {
    await sql`create index on recovery (webhook_id, id)`.execute(db);
  },
};
