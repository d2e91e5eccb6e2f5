import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Lists by `updated_at` read `interaction_outdated`: an index costs each turn a write. */
export const updatedIndex: Migration = {
  up: async (db) => {
    await sql`drop index interaction_workspace_id_updated_at_id_idx`.execute(db);
  },
};
