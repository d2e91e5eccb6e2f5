import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const operators: Migration = {
  up: async (db) => {
    await sql`alter table person add column is_operator boolean not null default false`.execute(db);
    // A link of an operator has no workspace.
    await sql`alter table sign_in_link alter column workspace_id drop not null`.execute(db);
    await sql`
      alter table sign_in_link add column is_operator boolean not null default false,
        add check (is_operator = (workspace_id is null))`.execute(db);
  },
};
