import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** Options of webhooks, names of events, and statistics by the hour. See docs/decisions/0019. */
export const options: Migration = {
  up: async (db) => {
    await sql`alter table event add column name text`.execute(db);
    await sql`
      alter table webhook
        add column headers text,
        add column ordering text not null default 'none' check (ordering in ('none', 'perCustomer', 'strict')),
        add column is_asymmetric boolean not null default false`.execute(db);
    await sql`
      alter table signing_secret
        add column kind text not null default 'hmac' check (kind in ('hmac', 'ed25519'))`.execute(db);
    await sql`
      alter table lane
        add column rate_per_second float8 check (rate_per_second between 0.001 and 1000),
        add column rate_burst int check (rate_burst between 1 and 1000),
        add column next_token_at timestamptz,
        add check ((rate_per_second is null) = (rate_burst is null))`.execute(db);
    await sql`alter table open_delivery add column ordering_key text`.execute(db);
    await sql`
      create index open_delivery_ordered on open_delivery (webhook_id, ordering_key, id)
      where ordering_key is not null`.execute(db);
    // With all that a claim chooses by: of a backlog it then reads rows that stand together, not one page of the table each.
    await sql`drop index open_delivery_waiting`.execute(db);
    await sql`
      create index open_delivery_waiting on open_delivery (webhook_id, due_at) include (id, ordering_key)
      where lease_token is null`.execute(db);
    // What waits for an earlier one is due at no time that is known.
    await sql`
      create or replace view delivery with (security_invoker) as
      select id, workspace_id, webhook_id, event_id, state, attempts, nullif(due_at, 'infinity') as due_at,
        lease_token, is_redacted, created_at, null::timestamptz as finished_at
      from open_delivery
      union all
      select id, workspace_id, webhook_id, event_id, state, attempts, null, null, is_redacted, created_at, finished_at
      from finished_delivery`.execute(db);
    await sql`
      create table lane_hour (
        webhook_id uuid not null,
        workspace_id uuid not null,
        hour timestamptz not null,
        attempts int not null,
        failures int not null,
        total_ms bigint not null,
        max_ms int not null,
        primary key (webhook_id, hour)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index on lane_hour (hour)`.execute(db);
  },
};
