import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Conversations are counted by what has changed in their workspace, and unknown ones are passed over. */
export const changes: Migration = {
  up: async (db) => {
    await sql`alter table freshness add column server text not null default ''`.execute(db);
    await sql`
      create table workspace_progress (
        workspace_id uuid primary key,
        transaction bigint not null,
        interaction_id uuid not null,
        behind_since timestamptz
      )`.execute(db);
    await sql`alter table contribution add column is_unknown boolean not null default false`.execute(db);
    await sql`create index contribution_unknown on contribution (generation) where is_unknown`.execute(db);
    await sql`drop index contribution_open`.execute(db);
    await sql`create index contribution_open on contribution (workspace_id) where is_open`.execute(db);
    await sql`create index on event_put_aside (durable, workspace_id, raised_at)`.execute(db);
    // From the first change on, because it is not known which ones were counted.
    await sql`
      insert into workspace_progress (workspace_id, transaction, interaction_id)
      select distinct workspace_id, 0, '00000000-0000-0000-0000-000000000000'::uuid
      from contribution where is_open`.execute(db);
  },
};
