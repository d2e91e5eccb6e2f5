import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const branding: Migration = {
  up: async (db) => {
    // Beside the workspace, so that one read returns both its existence and its look.
    await sql`
      alter table workspace
        add column display_name text,
        add column logo bytea,
        add column logo_name text collate "C",
        add column accent_color text,
        add column end_text text,
        add column end_link jsonb,
        add column branding_version int not null default 0`.execute(db);
    // Images are compressed already.
    await sql`alter table workspace alter column logo set storage external`.execute(db);
  },
};
