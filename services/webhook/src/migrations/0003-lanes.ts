import type { Migration } from '@parley/postgres/migrate';
import { type Kysely, sql } from 'kysely';

/** Open and finished deliveries apart, the latter and attempts by the day; a lane per webhook. See docs/decisions/0018. */
export const lanes: Migration = {
  up: async (db) => {
    await sql`alter table delivery rename to old_delivery`.execute(db);
    await sql`alter table attempt rename to old_attempt`.execute(db);
    await createTables(db);
    await createPartitionFunctions(db);
    await moveRows(db);
    await sql`drop table old_delivery, old_attempt`.execute(db);
    await sql`
      alter table webhook drop constraint webhook_inactive_reason_check,
        add check (inactive_reason in ('user', 'gone', 'auto'))`.execute(db);
    // For the purge by age.
    await sql`create index on event (received_at)`.execute(db);
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lane (
      webhook_id uuid primary key references webhook,
      workspace_id uuid not null,
      ready_at timestamptz,
      served_at timestamptz not null default now(),
      paused_until timestamptz,
      is_full boolean not null default false,
      is_prompt boolean not null default false,
      in_flight_max int not null default 4,
      openings int not null default 0,
      unanswered int not null default 0,
      window_started_at timestamptz not null default now(),
      window_attempts int not null default 0,
      window_failures int not null default 0,
      last_success_at timestamptz,
      failing_since timestamptz,
      failing_again_at timestamptz
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  );
  await sql`create index lane_ready on lane (is_prompt, ready_at) where ready_at is not null`.execute(db);
  // No foreign keys on the tables of the hot path, as in the first migration.
  await sql`
    create table open_delivery (
      id uuid primary key,
      workspace_id uuid not null,
      webhook_id uuid not null,
      event_id uuid not null,
      state text not null default 'pending' check (state in ('pending', 'skipped', 'discarded')),
      attempts int not null default 0,
      due_at timestamptz not null default now(),
      lease_token uuid,
      is_redacted boolean not null default false,
      created_at timestamptz not null default now(),
      unique (event_id, webhook_id),
      check (state = 'pending' or lease_token is not null)
    ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)`.execute(db);
  await sql`
    create index open_delivery_waiting on open_delivery (webhook_id, due_at) where lease_token is null`.execute(
    db,
  );
  await sql`
    create index open_delivery_leased on open_delivery (webhook_id, due_at) where lease_token is not null`.execute(
    db,
  );
  await sql`
    create index open_delivery_ended on open_delivery (due_at) where state <> 'pending'`.execute(db);
  await sql`
    create table finished_delivery (
      id uuid not null,
      workspace_id uuid not null,
      webhook_id uuid not null,
      event_id uuid not null,
      state text not null check (state in ('succeeded', 'failed', 'skipped', 'discarded')),
      attempts int not null,
      is_redacted boolean not null,
      created_at timestamptz not null,
      finished_at timestamptz not null default now()
    ) partition by range (finished_at)`.execute(db);
  await sql`create index on finished_delivery (webhook_id, id)`.execute(db);
  await sql`create index on finished_delivery (event_id)`.execute(db);
  await sql`
    create table attempt (
      delivery_id uuid not null,
      number int not null,
      workspace_id uuid not null,
      recorded_at timestamptz not null default now(),
      started_at timestamptz not null,
      duration_ms int not null,
      dns_ms int,
      connect_ms int,
      tls_ms int,
      first_byte_ms int,
      status int,
      error text,
      response_excerpt bytea
    ) partition by range (recorded_at)`.execute(db);
  await sql`create index on attempt (delivery_id, number)`.execute(db);
  await sql`
    create view delivery with (security_invoker) as
    select id, workspace_id, webhook_id, event_id, state, attempts, due_at, lease_token, is_redacted, created_at,
      null::timestamptz as finished_at
    from open_delivery
    union all
    select id, workspace_id, webhook_id, event_id, state, attempts, null, null, is_redacted, created_at, finished_at
    from finished_delivery`.execute(db);
}

/**
 * `make_partition(parent, day)` and `tend_partitions(days_ahead, days_kept)`. Days are those of UTC. Attaching needs no
 * lock that keeps anybody from reading or writing; dropping does, for a moment, and gives up when it has to wait for it.
 */
async function createPartitionFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function make_partition(parent text, day date) returns void language plpgsql as $body$
    declare
      name text := parent || to_char(day, '_YYYYMMDD');
    begin
      if to_regclass(name) is null then
        execute format('create table %I (like %I including defaults including constraints)', name, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
          parent, name, day || ' 00:00+00', (day + 1) || ' 00:00+00');
      end if;
    end $body$`.execute(db);
  await sql`
    create function tend_partitions(days_ahead int, days_kept int) returns void language plpgsql as $body$
    declare
      today date := (now() at time zone 'utc')::date;
      parent text;
      name text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('tend_partitions', 0));
      perform set_config('lock_timeout', '2s', true);
      foreach parent in array array['finished_delivery', 'attempt'] loop
        for ahead in 0..days_ahead loop
          perform make_partition(parent, today + ahead);
        end loop;
        for name in
          select child.relname from pg_inherits join pg_class child on child.oid = inhrelid
          where inhparent = parent::regclass and child.relname < parent || to_char(today - days_kept, '_YYYYMMDD')
        loop
          execute format('drop table %I', name);
        end loop;
      end loop;
    end $body$`.execute(db);
}

async function moveRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $body$ begin
      perform make_partition('finished_delivery', day), make_partition('attempt', day) from (
        select generate_series(
          least((select min(created_at) from old_delivery), now()) at time zone 'utc',
          now() at time zone 'utc' + interval '7 days', interval '1 day')::date as day
      ) as days;
    end $body$`.execute(db);
  await sql`
    insert into open_delivery
      (id, workspace_id, webhook_id, event_id, state, attempts, due_at, lease_token, is_redacted, created_at)
    select id, workspace_id, webhook_id, event_id, state, attempts, due_at, lease_token, is_redacted, created_at
    from old_delivery where state = 'pending' or (state in ('skipped', 'discarded') and lease_token is not null)`.execute(
    db,
  );
  await sql`
    insert into finished_delivery
      (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at)
    select id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at,
      greatest(finished_at, created_at)
    from old_delivery
    where state <> 'pending' and (state in ('succeeded', 'failed') or lease_token is null)`.execute(db);
  await sql`
    insert into attempt
      (delivery_id, number, workspace_id, recorded_at, started_at, duration_ms, status, error, response_excerpt)
    select delivery_id, number, old_attempt.workspace_id,
      least(greatest(started_at + duration_ms * interval '1 millisecond', created_at), now()), started_at, duration_ms,
      status, error, response_excerpt
    from old_attempt join old_delivery on old_delivery.id = delivery_id`.execute(db);
  await sql`
    insert into lane (webhook_id, workspace_id, ready_at)
    select id, workspace_id, (select min(due_at) from open_delivery where webhook_id = webhook.id)
    from webhook`.execute(db);
}
