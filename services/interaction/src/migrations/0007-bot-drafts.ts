import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** A bot has at most one row. It stays when its draft is removed, so that versions of drafts are never used twice. */
export const botDrafts: Migration = {
  up: async (db) => {
    await sql`
      create table bot_draft (
        bot_id uuid primary key references bot on delete cascade,
        workspace_id uuid not null,
        version int not null default 0,
        -- As it was saved. Null without a draft, like the next three.
        definition text,
        base_version int,
        updated_at timestamptz,
        updated_by text,
        saves jsonb not null default '{}'
      )`.execute(db);
    await sql`create index on bot_draft (workspace_id) where definition is not null`.execute(db);
  },
};
