import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** Talks that wait for the model: when they are due to be asked for, and how often they were taken for that. */
export const model: Migration = {
  up: async (db) => {
    await sql`
      alter table interaction
        add column model_due_at timestamptz,
        add column model_tries int not null default 0`.execute(db);
    await sql`
      create index on interaction (model_due_at)
      where model_due_at is not null and status = 'InProgress'`.execute(db);
  },
};
