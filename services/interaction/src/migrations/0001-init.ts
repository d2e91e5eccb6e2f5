import { createEventLog } from '@parley/events/log';
import { createFence } from '@parley/postgres/fence';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/migrate';
import { createPartitionFunctions } from '@parley/postgres/partitions';
import { countRows } from '@parley/postgres/row-count';
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
      updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
    )`.execute(db);
  await stampChanges(db);
  await createInteractionIndexes(db);
  await countRows(db, 'interaction', {
    workspace_id: 'uuid',
    bot_id: 'uuid',
    status: 'text',
    priority: 'text',
  });
}

/** Sets `updated_at` with each change. */
async function stampChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function stamp_change() returns trigger language plpgsql as $$
    begin
      new.updated_at := date_trunc('milliseconds', clock_timestamp());
      return new;
    end $$`.execute(db);
  await sql`
    create trigger stamp_change before update of version on interaction
    for each row execute function stamp_change()`.execute(db);
}

async function createInteractionIndexes(db: Kysely<unknown>): Promise<void> {
  // Lists: all of a workspace, by filter, and of one customer, newest first (ids rise with time).
  await sql`create index on interaction (workspace_id, id)`.execute(db);
  await sql`create index on interaction (workspace_id, status, id)`.execute(db);
  await sql`create index on interaction (workspace_id, priority, id)`.execute(db);
  await sql`create index on interaction (workspace_id, bot_id, id)`.execute(db);
  await sql`create index on interaction (workspace_id, customer_id, id)`.execute(db);
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
