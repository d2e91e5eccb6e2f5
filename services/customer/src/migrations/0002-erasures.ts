import type { Migration } from '@parley/postgres/migrate';
import { createUuidFunctions } from '@parley/postgres/uuid-functions';
import { sql } from 'kysely';

/**
 * Adds the progress of an anonymisation, and keeps an erasure of each one that is finished. A trigger does so, because
 * replicas of the previous release finish anonymisations too. They need `alive_at`; newer ones use `due_at`.
 */
export const erasures: Migration = {
  up: async (db) => {
    await createUuidFunctions(db);
    await sql`
      alter table anonymisation
        add column erasure_id uuid not null default uuidv7(),
        add column requested_at timestamptz not null default now(),
        add column first_version int not null default 0,
        add column finished_version int not null default 0,
        add column page_token text not null default '',
        add column due_at timestamptz not null default now(),
        add column removed_customers int not null default 0,
        add column removed_interactions int not null default 0,
        add column removed_events int not null default 0`.execute(db);
    await sql`create index anonymisation_due on anonymisation (due_at)`.execute(db);
    await sql`create index on anonymisation (workspace_id, erasure_id)`.execute(db);
    await sql`
      create table finished_erasure (
        id uuid primary key,
        workspace_id uuid not null,
        customer_id text collate "C" not null,
        kind text not null,
        requested_at timestamptz not null,
        completed_at timestamptz not null,
        removed_customers int not null,
        removed_interactions int not null,
        removed_events int not null
      )`.execute(db);
    // Lists, newest first (ids rise with time).
    await sql`create index on finished_erasure (workspace_id, id)`.execute(db);
    await sql`create index on finished_erasure (workspace_id, customer_id, id)`.execute(db);
    await sql`
      create function keep_erasure() returns trigger language plpgsql as $$
      begin
        insert into finished_erasure values (old.erasure_id, old.workspace_id, old.customer_id, 'anonymisation',
          old.requested_at, now(), old.removed_customers, old.removed_interactions, old.removed_events);
        return null;
      end $$`.execute(db);
    await sql`
      create trigger erasure_finished after delete on anonymisation
      for each row execute function keep_erasure()`.execute(db);
    await sql`
      create view erasure as
      select erasure_id as id, workspace_id, customer_id, 'anonymisation' as kind, requested_at,
        null::timestamptz as completed_at, removed_customers, removed_interactions, removed_events
      from anonymisation
      union all
      select id, workspace_id, customer_id, kind, requested_at,
        completed_at, removed_customers, removed_interactions, removed_events
      from finished_erasure`.execute(db);
  },
};
