import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';
import { createFence } from '../fence-store.ts';

export const anonymisationFence: Migration = {
  up: async (db) => {
    await createFence(db);
    await sql`
      alter table interaction
        add column fence_version int not null default 0,
        add column redacted_version int not null default 0`.execute(db);
    // Outboxes of before had it.
    await sql`alter table outbox drop column if exists subject`.execute(db);
  },
};
