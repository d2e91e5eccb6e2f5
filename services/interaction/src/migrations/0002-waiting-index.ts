import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The interactions that wait for a customer, who may have many others. */
export const waitingIndex: Migration = {
  up: async (db) => {
    await sql`
      create index interaction_waiting on interaction (workspace_id, customer_id)
      where status in ('Pending', 'InProgress')`.execute(db);
  },
};
