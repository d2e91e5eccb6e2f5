import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The trace that a talk goes on in when the model has answered: that of whoever made it wait. */
export const modelTrace: Migration = {
  up: async (db) => {
    await sql`alter table interaction add column model_traceparent text`.execute(db);
  },
};
