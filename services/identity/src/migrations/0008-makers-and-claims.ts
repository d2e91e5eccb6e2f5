import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Who made an invitation, and what the provider has said about a person at its last sign-in. */
export const makersAndClaims: Migration = {
  up: async (db) => {
    await sql`alter table member add column invited_by text collate "C"`.execute(db);
    await sql`create index on member (invited_by) where person_id is null`.execute(db);
    await sql`create index on api_key (created_by)`.execute(db);
    // Not a mark beside `email`: a replica of the release before would change the address and leave the mark.
    await sql`
      alter table person
        add column verified_email text,
        add column groups_missing_since timestamptz`.execute(db);
  },
};
