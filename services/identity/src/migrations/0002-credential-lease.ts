import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const credentialLease: Migration = {
  up: async (db) => {
    // Logged, though short-lived: a lease that a crash of Postgres forgot would still be relied upon.
    await sql`
      create table credential_lease (
        api_key text collate "C" not null,
        holder uuid not null,
        expires_at timestamptz not null,
        primary key (api_key, holder)
      )`.execute(db);
  },
};
