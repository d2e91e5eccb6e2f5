import { createInbox } from '@parley/events/inbox';
import type { Migration } from '@parley/postgres/schema/migrate';
import { type Kysely, sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await createInbox(db);
    await createProgress(db);
    await createFigures(db);
    await sql`
      create table bot_version (
        workspace_id uuid not null,
        bot_id uuid not null,
        version int not null,
        outline jsonb not null,
        primary key (bot_id, version)
      )`.execute(db);
  },
};

/** Creates what says how far the figures are. */
async function createProgress(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table generation (
      id int generated always as identity primary key,
      state text not null check (state in ('building', 'live')),
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      scanned_to text not null default '',
      scanned_at timestamptz,
      counted bigint not null default 0,
      total bigint not null default 0
    )`.execute(db);
  // At most one of each state.
  await sql`create unique index on generation (state)`.execute(db);
  await sql`
    create table freshness (
      is_only boolean primary key default true check (is_only),
      cursor text not null default '',
      as_of timestamptz
    )`.execute(db);
  await sql`
    create table lease (
      is_only boolean primary key default true check (is_only),
      holder uuid not null,
      held_until timestamptz not null,
      epoch bigint not null default 0
    )`.execute(db);
}

/** Creates the figures, and what each interaction has added to them. */
async function createFigures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contribution (
      generation int not null,
      interaction_id uuid not null,
      workspace_id uuid not null,
      bot_id uuid not null,
      bot_version int not null,
      created_at timestamptz not null,
      version int not null,
      is_stalled boolean not null,
      is_open boolean not null,
      deleted_at timestamptz,
      counts jsonb not null,
      primary key (generation, interaction_id)
    )`.execute(db);
  // Parts of hours.
  await sql`create index on contribution (generation, bot_id, created_at)`.execute(db);
  await sql`create index contribution_open on contribution (generation, interaction_id) where is_open`.execute(
    db,
  );
  await sql`create index on contribution (deleted_at) where deleted_at is not null`.execute(db);
  await sql`
    create table figure (
      generation int not null,
      workspace_id uuid not null,
      bot_id uuid not null,
      bot_version int not null,
      hour timestamptz not null,
      name text collate "C" not null,
      n bigint not null,
      primary key (generation, bot_id, hour, bot_version, name)
    )`.execute(db);
}
