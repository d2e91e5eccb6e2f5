import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** Indexes by which the log of deliveries is read, and recoveries. See docs/decisions/0019. */
export const log: Migration = {
  up: async (db) => {
    await sql`create index open_delivery_log on open_delivery (webhook_id, id)`.execute(db);
    // With the state in it one index serves every list: what is in another state is never passed over, however much it is.
    await sql`create index finished_delivery_log on finished_delivery (webhook_id, state, id)`.execute(db);
    await sql`drop index finished_delivery_webhook_id_id_idx`.execute(db);
    await sql`
      create table recovery (
        id uuid primary key,
        webhook_id uuid not null references webhook,
        workspace_id uuid not null,
        state text not null default 'running' check (state in ('running', 'done', 'stopped')),
        recovered int not null default 0,
        since timestamptz not null,
        until timestamptz not null,
        states text[] not null,
        place uuid,
        next_at timestamptz not null default now(),
        created_at timestamptz not null,
        finished_at timestamptz,
        check ((state = 'running') = (finished_at is null))
      )`.execute(db);
    await sql`create index recovery_running on recovery (next_at) where state = 'running'`.execute(db);
    // For the purge by age.
    await sql`create index on recovery (created_at)`.execute(db);
  },
};
