import { createInbox } from '@parley/events/inbox';
import { createEventLog } from '@parley/events/log';
import { createFence } from '@parley/postgres/fence';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/schema/migrate';
import { createPartitionFunctions, makePartitions } from '@parley/postgres/schema/partitions';
import { createUuidFunctions } from '@parley/postgres/schema/uuid-functions';
import { type Kysely, sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await createUuidFunctions(db);
    await createWebhooks(db);
    await createSubscriptions(db);
    await createLanes(db);
    await createEvents(db);
    await createFence(db);
    await createOpenDeliveries(db);
    await createLog(db);
    await createViews(db);
    await createPartitionFunctions(db);
    await makePartitions(db, ['finished_delivery', 'attempt']);
    await createInbox(db);
    await createEventLog(db);
    await createRecoveries(db);
    await createIdempotencyTable(db);
  },
};

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook (
      id uuid primary key,
      workspace_id uuid not null,
      url text not null,
      is_active boolean not null,
      active_since timestamptz,
      event text not null,
      version int not null default 1,
      secret_token text,
      inactive_reason text check (inactive_reason in ('user', 'gone', 'auto')),
      listening_since timestamptz,
      listened tstzmultirange not null default '{}',
      headers text,
      ordering text not null default 'none' check (ordering in ('none', 'perCustomer', 'strict')),
      is_asymmetric boolean not null default false,
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      check (deleted_at is null or not is_active),
      check (is_active = (active_since is not null)),
      check ((deleted_at is null) = (secret_token is not null))
    )`.execute(db);
  await sql`create index on webhook (workspace_id, id) where deleted_at is null`.execute(db);
  await sql`
    create table signing_secret (
      id uuid primary key,
      webhook_id uuid not null references webhook,
      workspace_id uuid not null,
      kind text not null default 'hmac' check (kind in ('hmac', 'ed25519')),
      secret text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz
    )`.execute(db);
  await sql`create index on signing_secret (webhook_id, created_at)`.execute(db);
}

async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscription (
      webhook_id uuid not null references webhook,
      workspace_id uuid not null,
      since timestamptz not null,
      events text[] not null check (cardinality(events) > 0),
      filter text,
      is_enveloped boolean not null,
      primary key (webhook_id, since)
    )`.execute(db);
  await sql`
    create table filter_result (
      webhook_id uuid primary key references webhook,
      workspace_id uuid not null,
      filtered bigint not null default 0,
      errors bigint not null default 0,
      last_error text
    )`.execute(db);
}

async function createLanes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lane (
      webhook_id uuid primary key references webhook,
      workspace_id uuid not null,
      revision int not null default 0,
      openings int not null default 0,
      paused_until timestamptz,
      pause_reason text check (pause_reason in ('rate_limited', 'unavailable')),
      last_success_at timestamptz,
      failing_since timestamptz,
      failing_again_at timestamptz,
      warned_for timestamptz,
      rate_per_second float8 check (rate_per_second between 0.001 and 1000),
      rate_burst int check (rate_burst between 1 and 1000),
      bucket_full_at timestamptz,
      check ((rate_per_second is null) = (rate_burst is null))
    ) with (fillfactor = 50)`.execute(db);
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
  await sql`
    create table shard (id int primary key, owner uuid, epoch int not null default 0, seized_at timestamptz)`.execute(
    db,
  );
  await sql`insert into shard (id) select generate_series(0, 255)`.execute(db);
  await sql`create table replica (id uuid primary key, heartbeats int not null)`.execute(db);
  await sql`create table delivery_clock (latest timestamptz not null)`.execute(db);
  await sql`insert into delivery_clock values (now())`.execute(db);
}

// Events, deliveries and attempts have no foreign keys: a check per row would cost more than the row. Statements only
// insert rows for ids that they have read.

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event (
      id uuid primary key,
      workspace_id uuid not null,
      name text not null,
      about text not null,
      customer_id text not null,
      status text not null,
      data bytea not null,
      extra text not null,
      result bytea,
      is_test boolean not null default false,
      traceparent text,
      raised_at timestamptz,
      received_at timestamptz not null default now(),
      redacted_version int
    )`.execute(db);
  await sql`create index event_of on event (about) where about <> ''`.execute(db);
  // For the export of a customer's data.
  await sql`create index event_of_customer on event (workspace_id, customer_id, id) where customer_id <> ''`.execute(
    db,
  );
  // For the purge by age.
  await sql`create index event_age on event (received_at)`.execute(db);
  await sql`
    create table deleted_interaction (
      interaction_id text primary key,
      workspace_id uuid not null,
      deleted_at timestamptz not null default now()
    )`.execute(db);
  // For the purge by age.
  await sql`create index on deleted_interaction (deleted_at)`.execute(db);
}

async function createOpenDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table open_delivery (
      id uuid primary key,
      workspace_id uuid not null,
      webhook_id uuid not null,
      event_id uuid not null,
      attempts int not null default 0,
      due_at timestamptz not null default now(),
      claimed_by uuid,
      ordering_key text,
      is_redacted boolean not null default false,
      is_enveloped boolean not null default false,
      created_at timestamptz not null default now(),
      unique (event_id, webhook_id)
    ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)`.execute(db);
  // Partial, with every row: the planner uses it only for queries with this condition, not for the lists of the log.
  await sql`
    create index open_delivery_due on open_delivery (webhook_id, due_at, id) where due_at is not null`.execute(
    db,
  );
  // Partial for the same reason: only for the lists of the log.
  await sql`
    create index open_delivery_log on open_delivery (webhook_id, id) where created_at > '-infinity'`.execute(
    db,
  );
  await sql`
    create index open_delivery_ordered on open_delivery (ordering_key, webhook_id, id)
    where ordering_key is not null`.execute(db);
  await sql`create index open_delivery_claimed on open_delivery (claimed_by) where claimed_by is not null`.execute(
    db,
  );
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  const attemptColumns = sql`
    started_at timestamptz, duration_ms int, dns_ms int, connect_ms int, tls_ms int, first_byte_ms int, status int,
    error text, response_excerpt bytea, pause_ms int`;
  await sql`
    create table finished_delivery (
      id uuid not null,
      workspace_id uuid not null,
      webhook_id uuid not null,
      event_id uuid not null,
      state text not null check (state in ('succeeded', 'failed', 'skipped', 'discarded')),
      attempts int not null,
      is_redacted boolean not null,
      is_enveloped boolean not null default false,
      created_at timestamptz not null,
      finished_at timestamptz not null default now(),
      ${attemptColumns}
    ) partition by range (finished_at)`.execute(db);
  await sql`create index finished_delivery_log on finished_delivery (webhook_id, state, id)`.execute(db);
  await sql`create index on finished_delivery (event_id)`.execute(db);
  await sql`
    create table attempt (
      delivery_id uuid not null,
      number int not null,
      workspace_id uuid not null,
      recorded_at timestamptz not null default now(),
      ${attemptColumns}
    ) partition by range (recorded_at)`.execute(db);
  await sql`create index on attempt (delivery_id, number)`.execute(db);
}

async function createViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view delivery with (security_invoker) as
    select id, workspace_id, webhook_id, event_id, 'pending' as state, attempts, nullif(due_at, 'infinity') as due_at,
      is_redacted, created_at, null::timestamptz as finished_at
    from open_delivery
    union all
    select id, workspace_id, webhook_id, event_id, state, attempts, null, is_redacted, created_at, finished_at
    from finished_delivery`.execute(db);
  await sql`
    create view every_attempt with (security_invoker) as
    select delivery_id, number, workspace_id, recorded_at, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
      first_byte_ms, status, error, response_excerpt, pause_ms
    from attempt
    union all
    select id, attempts + (pause_ms is not null)::int, workspace_id, finished_at, started_at, duration_ms, dns_ms,
      connect_ms, tls_ms, first_byte_ms, status, error, response_excerpt, pause_ms
    from finished_delivery where started_at is not null`.execute(db);
}

async function createRecoveries(db: Kysely<unknown>): Promise<void> {
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
}
