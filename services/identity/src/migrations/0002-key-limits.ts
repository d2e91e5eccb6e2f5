import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const keyLimits: Migration = {
  up: async (db) => {
    // Without scopes a key has all, also those of future releases. `last_used_at` is exact to the hour.
    await sql`
      alter table api_key
        add column name text not null default '',
        add column scopes text[] check (cardinality(scopes) > 0),
        add column created_by text collate "C" not null default 'operator',
        add column expires_at timestamptz,
        add column last_used_at timestamptz`.execute(db);
  },
};
