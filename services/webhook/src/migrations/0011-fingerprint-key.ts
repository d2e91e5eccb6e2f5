import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The one key of the fingerprints of secret tokens, sealed. Any copy makes it: see `fingerprintKey`. */
export const fingerprintKey: Migration = {
  up: async (db) => {
    await sql`
      create table fingerprint_key (
        is_only boolean primary key default true check (is_only),
        sealed text not null
      )`.execute(db);
  },
};
