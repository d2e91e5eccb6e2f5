import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const portal: Migration = {
  up: async (db) => {
    // An empty list of webhooks stands for all.
    await sql`
      create table portal_link (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        name text not null,
        webhook_ids uuid[] not null,
        personal_data boolean not null,
        pepper_id text not null,
        digest bytea not null,
        created_by text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index on portal_link (workspace_id, id)`.execute(db);
    await sql`create index on portal_link (expires_at)`.execute(db);
    // A session is that of a person, or of the portal.
    await sql`
      alter table person_session
        alter column person_id drop not null,
        add column portal_link_id uuid unique references portal_link on delete cascade,
        add check (num_nonnulls(person_id, portal_link_id) = 1)`.execute(db);
  },
};
