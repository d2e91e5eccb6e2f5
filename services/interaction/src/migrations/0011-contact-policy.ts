import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** How often customers may be offered interactions, and when they were. */
export const contactPolicy: Migration = {
  up: async (db) => {
    await sql`
      create table contact_policy (
        workspace_id uuid primary key,
        -- Limits, {count, days}. Null for none.
        any_bot json,
        same_bot json,
        version int not null default 0
      )`.execute(db);
    // Null for interactions from before: `offeredAt` in `contacts/contact-store.ts`.
    await sql`alter table interaction add column offered_at timestamptz`.execute(db);
    // What was offered and is deleted.
    await sql`
      create table past_contact (
        id uuid primary key,
        workspace_id uuid not null,
        customer_id text not null,
        bot_id uuid not null,
        offered_at timestamptz not null
      )`.execute(db);
    await sql`create index on past_contact (workspace_id, customer_id)`.execute(db);
    // For the purge by age.
    await sql`create index on past_contact (offered_at)`.execute(db);
  },
};
