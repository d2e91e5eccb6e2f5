import { createEventLog } from '@parley/events/log';
import { createFence } from '@parley/postgres/fence';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/schema/migrate';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { countRows } from '@parley/postgres/sql/row-count';
import { type Kysely, sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await createBots(db);
    await createInteractions(db);
    await createMessages(db);
    await createDeletedInteractions(db);
    await createFence(db);
    await createPartitionFunctions(db);
    await createEventLog(db);
    await createIdempotencyTable(db);
  },
};

async function createBots(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bot (
      id uuid primary key,
      workspace_id uuid not null,
      key text not null,
      name text not null,
      type text not null,
      type_label text not null,
      context text[] not null,
      version int not null default 1,
      created_at timestamptz not null default now(),
      constraint bot_key_unique unique (workspace_id, key)
    )`.execute(db);
  await sql`
    create table bot_version (
      bot_id uuid not null references bot,
      workspace_id uuid not null,
      version int not null,
      -- As it was published: json keeps the text.
      definition json not null,
      digest text not null,
      published_at timestamptz not null default now(),
      published_by text not null,
      note text,
      restored_from int,
      primary key (bot_id, version)
    )`.execute(db);
}

async function createInteractions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table interaction (
      id uuid primary key,
      workspace_id uuid not null,
      customer_id text not null,
      bot_id uuid not null references bot,
      bot_version int,
      fence_version int not null default 0,
      redacted_version int not null default 0,
      status text not null check (status in ('Draft', 'Pending', 'InProgress', 'Completed', 'Expired')),
      priority text not null check (priority in ('Low', 'Medium', 'High')),
      type text not null,
      type_label text not null,
      context json not null,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      version int not null default 1,
      link_version int not null default 1,
      state json,
      transcript json,
      evaluation json,
      -- Limits the size of lists without reading the JSON.
      bytes int not null generated always as (
        octet_length(context::text) + coalesce(octet_length(state::text), 0)
          + coalesce(octet_length(transcript::text), 0) + coalesce(octet_length(evaluation::text), 0)
      ) stored,
      seq int not null default 0,
      started_at timestamptz,
      completed_at timestamptz,
      stalls_at timestamptz,
      model_due_at timestamptz,
      model_tries int not null default 0,
      model_traceparent text,
      -- In milliseconds, as the API shows it.
      updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      -- The transaction of the last change: the order of exports.
      changed_in xid8 not null default pg_current_xact_id()
    )`.execute(db);
  await stampChanges(db);
  await createInteractionIndexes(db);
  await countRows(db, 'interaction', {
    workspace_id: 'uuid',
    bot_id: 'uuid',
    status: 'text',
    priority: 'text',
  });
  await countDays(db);
  await createEvaluationValues(db);
}

/** Counts the interactions of each UTC day, by each of their instants. */
async function countDays(db: Kysely<unknown>): Promise<void> {
  await countRows(
    db,
    'interaction',
    { workspace_id: 'uuid', instant: 'text', day: 'date' },
    {
      counts: 'interaction_day_count',
      cellsOf: (rows) => `(
        select workspace_id, instant, (at at time zone 'UTC')::date as day
        from ${rows} cross join lateral (
          values ('created', created_at), ('updated', updated_at), ('completed', completed_at)
        ) as instants (instant, at)
        where at is not null
      ) as cells`,
    },
  );
}

/** Sets `updated_at` and `changed_in` with each change that an export shows. */
async function stampChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function stamp_change() returns trigger language plpgsql as $$
    begin
      new.updated_at := date_trunc('milliseconds', clock_timestamp());
      new.changed_in := pg_current_xact_id();
      return new;
    end $$`.execute(db);
  await sql`
    create trigger stamp_change before update of version, customer_id, bot_version, status, priority, context,
      expires_at, link_version, transcript, evaluation, started_at, completed_at
    on interaction for each row when (new.updated_at = old.updated_at) execute function stamp_change()`.execute(
    db,
  );
}

/** The keys and values of evaluations, as digests of a fixed size, for lists of interactions that have them. */
async function createEvaluationValues(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table evaluation_value (
      workspace_id uuid not null,
      digest uuid not null,
      interaction_id uuid not null,
      primary key (workspace_id, digest, interaction_id)
    )`.execute(db);
  await sql`
    create function evaluation_digest(entry text) returns uuid language sql immutable parallel safe as $$
      select encode(substring(sha256(convert_to(entry, 'UTF8')) for 16), 'hex')::uuid
    $$`.execute(db);
  await sql`
    create function evaluation_digests(evaluation json) returns setof uuid language sql immutable parallel safe as $$
      select evaluation_digest(key || ':' || value) from json_each_text(evaluation)
    $$`.execute(db);
  await sql`
    create function keep_evaluation_values() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from evaluation_value
        where workspace_id = old.workspace_id and interaction_id = old.id
          and digest = any(array(select evaluation_digests(old.evaluation)))
          and (tg_op = 'DELETE' or digest <> all(array(select evaluation_digests(new.evaluation))));
      end if;
      if tg_op <> 'DELETE' then
        insert into evaluation_value (workspace_id, digest, interaction_id)
        select new.workspace_id, digest, new.id from evaluation_digests(new.evaluation) as digest
        on conflict do nothing;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger evaluation_added after insert on interaction
    for each row when (new.evaluation is not null) execute function keep_evaluation_values()`.execute(db);
  await sql`
    create trigger evaluation_changed after update of evaluation on interaction
    for each row when (old.evaluation::text is distinct from new.evaluation::text)
    execute function keep_evaluation_values()`.execute(db);
  await sql`
    create trigger evaluation_removed after delete on interaction
    for each row when (old.evaluation is not null) execute function keep_evaluation_values()`.execute(db);
}

async function createInteractionIndexes(db: Kysely<unknown>): Promise<void> {
  // Lists: all of a workspace, by filter, and of one customer, newest first (ids rise with time).
  await sql`create index on interaction (workspace_id, id) include (updated_at, completed_at)`.execute(db);
  await sql`create index on interaction (workspace_id, status, id)`.execute(db);
  await sql`create index on interaction (workspace_id, priority, id)`.execute(db);
  await sql`create index on interaction (workspace_id, bot_id, id)`.execute(db);
  await sql`create index on interaction (workspace_id, customer_id, id)`.execute(db);
  // Lists by instants, and their totals.
  await sql`create index on interaction (workspace_id, created_at, id)`.execute(db);
  await sql`create index on interaction (workspace_id, updated_at, id)`.execute(db);
  await sql`
    create index on interaction (workspace_id, completed_at, id) where completed_at is not null`.execute(db);
  // Exports: the oldest change first.
  await sql`create index on interaction (workspace_id, changed_in, id) include (updated_at)`.execute(db);
  // Those that wait for a customer, who may have many others.
  await sql`
    create index interaction_waiting on interaction (workspace_id, customer_id)
    where status in ('Pending', 'InProgress')`.execute(db);
  // Those whose time is over under the retention of their workspace.
  await sql`create index interaction_outdated on interaction (workspace_id, status, updated_at, id)`.execute(
    db,
  );
  // Interactions that expire.
  await sql`
    create index on interaction (expires_at)
    where expires_at is not null and status in ('Draft', 'Pending', 'InProgress')`.execute(db);
  // Conversations that stall.
  await sql`
    create index on interaction (stalls_at)
    where stalls_at is not null and status = 'InProgress'`.execute(db);
  // Conversations that wait for the model.
  await sql`
    create index on interaction (model_due_at)
    where model_due_at is not null and status = 'InProgress'`.execute(db);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message (
      interaction_id uuid not null references interaction on delete cascade,
      workspace_id uuid not null,
      client_message_id text not null,
      fingerprint bytea not null,
      created_at timestamptz not null default now(),
      primary key (interaction_id, client_message_id)
    )`.execute(db);
}

async function createDeletedInteractions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_interaction (
      id uuid primary key,
      workspace_id uuid not null,
      customer_id text not null,
      customer_version int not null,
      deleted_at timestamptz not null default now()
    )`.execute(db);
  // The pages of a customer's deletion.
  await sql`create index on deleted_interaction (workspace_id, customer_id, id)`.execute(db);
  // For the purge by age.
  await sql`create index on deleted_interaction (deleted_at)`.execute(db);
}
