import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await sql`
      create table workspace (
        id uuid primary key,
        name text not null,
        allowed_domains text[] not null,
        sdk_generation int not null default 0,
        created_at timestamptz not null default now()
      )`.execute(db);
    // The workspaces of a key are in its row, so that authenticating reads one row of one table.
    await sql`
      create table api_key (
        api_key text collate "C" primary key,
        home_workspace_id uuid not null references workspace,
        workspace_ids uuid[] not null check (home_workspace_id = any(workspace_ids)),
        pepper_id text not null,
        digest bytea not null,
        version int not null default 1,
        created_at timestamptz not null default now(),
        rotated_at timestamptz,
        revoked_at timestamptz
      )`.execute(db);
    // The list: oldest first.
    await sql`create index on api_key (home_workspace_id, created_at, api_key)`.execute(db);
    await sql`
      create table sdk_secret (
        workspace_id uuid not null references workspace,
        generation int not null,
        kid text collate "C" not null,
        sealed text not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, generation)
      )`.execute(db);
  },
};
