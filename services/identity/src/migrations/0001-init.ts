import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    // The branding is in the row of the workspace, so that one read returns both.
    await sql`
      create table workspace (
        id uuid primary key,
        name text not null,
        allowed_domains text[] not null,
        sdk_generation int not null default 0,
        created_at timestamptz not null default now(),
        display_name text,
        logo bytea,
        logo_name text collate "C",
        accent_color text,
        end_text text,
        end_link jsonb,
        privacy_text text,
        branding_version int not null default 0
      )`.execute(db);
    // Images are compressed already.
    await sql`alter table workspace alter column logo set storage external`.execute(db);
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
    // Logged, though short-lived: a lease must survive a crash of Postgres, because its holder relies on it.
    await sql`
      create table credential_lease (
        api_key text collate "C" not null,
        holder uuid not null,
        expires_at timestamptz not null,
        primary key (api_key, holder)
      )`.execute(db);
  },
};
