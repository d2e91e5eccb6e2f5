import { createOutboxTable } from '@parley/events/outbox';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/migrate';
import { countRows } from '@parley/postgres/row-count';
import { type Kysely, sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await createBots(db);
    await createInteractions(db);
    await createMessages(db);
    await createFence(db);
    await createOutboxTable(db);
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
      definition json not null,
      sha256 text not null,
      created_at timestamptz not null default now(),
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
      sessions_from timestamptz,
      state json,
      transcript json,
      evaluation json,
      -- Limits the size of lists without reading the JSON.
      bytes int not null generated always as (
        octet_length(context::text) + coalesce(octet_length(state::text), 0)
          + coalesce(octet_length(transcript::text), 0) + coalesce(octet_length(evaluation::text), 0)
      ) stored,
      seq int not null default 0,
      model_due_at timestamptz,
      model_tries int not null default 0,
      model_traceparent text
    )`.execute(db);
  // Lists: all of a workspace, by filter, and of one customer, newest first (ids rise with time).
  await sql`create index on interaction (workspace_id, id)`.execute(db);
  await sql`create index on interaction (workspace_id, status, id)`.execute(db);
  await sql`create index on interaction (workspace_id, priority, id)`.execute(db);
  await sql`create index on interaction (workspace_id, bot_id, id)`.execute(db);
  await sql`create index on interaction (workspace_id, customer_id, id)`.execute(db);
  // Interactions that expire.
  await sql`
    create index on interaction (expires_at)
    where expires_at is not null and status in ('Draft', 'Pending', 'InProgress')`.execute(db);
  // Conversations that wait for the model.
  await sql`
    create index on interaction (model_due_at)
    where model_due_at is not null and status = 'InProgress'`.execute(db);
  await countRows(db, 'interaction', {
    workspace_id: 'uuid',
    bot_id: 'uuid',
    status: 'text',
    priority: 'text',
  });
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

/**
 * Creates the fence between details read before a customer's anonymisation and later writes. A writer of details holds
 * it, shared, until the commit; raising it waits for these writers, and later ones see it. These are functions because
 * each of their statements sees what was committed while it waited for the lock (docs/decisions/0011).
 */
async function createFence(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fence (
      workspace_id uuid not null,
      customer_id text collate "C" not null,
      version int not null,
      raised_at timestamptz not null,
      primary key (workspace_id, customer_id)
    )`.execute(db);
  await sql`
    create function fence_key(of_workspace uuid, of_customer text) returns bigint language sql immutable
    return hashtextextended(of_workspace::text || of_customer, 0)`.execute(db);
  await sql`
    create function raise_fence(of_workspace uuid, of_customer text, to_version int) returns timestamptz
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(fence_key(of_workspace, of_customer));
      -- Sessions know their time in whole milliseconds: one of this millisecond is from before.
      insert into fence as raised values (of_workspace, of_customer, to_version,
        date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
      on conflict (workspace_id, customer_id) do update
        set version = excluded.version, raised_at = excluded.raised_at where raised.version < excluded.version;
      return (select fence.raised_at from fence
        where fence.workspace_id = of_workspace and fence.customer_id = of_customer);
    end $$`.execute(db);
  await sql`
    create function hold_fence(of_workspace uuid, of_customer text, out version int, out raised_at timestamptz)
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(fence_key(of_workspace, of_customer));
      select fence.version, fence.raised_at into version, raised_at from fence
      where fence.workspace_id = of_workspace and fence.customer_id = of_customer;
      version := coalesce(version, 0);
    end $$`.execute(db);
  // For callers that cannot wait: `version` is null while the fence is being raised.
  await sql`
    create function try_to_hold_fence(of_workspace uuid, of_customer text, out version int, out raised_at timestamptz)
    language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock_shared(fence_key(of_workspace, of_customer)) then return; end if;
      select fence.version, fence.raised_at into version, raised_at from fence
      where fence.workspace_id = of_workspace and fence.customer_id = of_customer;
      version := coalesce(version, 0);
    end $$`.execute(db);
}
