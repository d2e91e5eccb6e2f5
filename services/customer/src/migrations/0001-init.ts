import { createEventLog } from '@parley/events/log';
import { createFence } from '@parley/postgres/fence';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/schema/migrate';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { countRows } from '@parley/postgres/sql/row-count';
import { createUuidFunctions } from '@parley/postgres/schema/uuid-functions';
import { type Kysely, sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await createUuidFunctions(db);
    // Ids are the clients' own and are compared byte by byte, whatever the collation of the database.
    await sql`
      create table customer (
        workspace_id uuid not null,
        id text collate "C" not null,
        first_name text not null,
        last_name text not null,
        email text not null,
        version int not null default 1,
        deleted_version int,
        created_at timestamptz not null default now(),
        constraint customer_key primary key (workspace_id, id)
      )`.execute(db);
    // The list: oldest first.
    await sql`create index on customer (workspace_id, created_at, id)`.execute(db);
    // Searches by the beginning of a text, byte by byte.
    for (const text of ['id collate "default"', 'first_name', 'last_name', 'email']) {
      await sql`
        create index on customer (workspace_id, lower(${sql.raw(text)}) text_pattern_ops)`.execute(db);
    }
    await countRows(db, 'customer', { workspace_id: 'uuid' });
    await createFence(db);
    await createErasures(db);
    await createRetention(db);
    await createIdempotencyTable(db);
    await createPartitionFunctions(db);
    await createEventLog(db);
  },
};

/**
 * Anonymisations and deletions under way, the erasures that those which are done have left, and the keys of their
 * receipts.
 */
async function createErasures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table anonymisation (
      workspace_id uuid not null,
      customer_id text collate "C" not null,
      kind text not null default 'anonymisation' check (kind in ('anonymisation', 'deletion')),
      version int not null,
      details text[] not null,
      asked_again boolean not null,
      erasure_id uuid not null default uuidv7(),
      requested_at timestamptz not null default now(),
      requested_by text not null,
      first_version int not null,
      finished_version int not null default 0,
      page_token text not null default '',
      due_at timestamptz not null default now(),
      removed_customers int not null,
      removed_interactions int not null default 0,
      removed_events int not null default 0,
      primary key (workspace_id, customer_id)
    )`.execute(db);
  await sql`create index on anonymisation (due_at)`.execute(db);
  await sql`create index on anonymisation (workspace_id, erasure_id)`.execute(db);
  await sql`
    create table finished_erasure (
      id uuid primary key,
      workspace_id uuid not null,
      customer_id text collate "C" not null,
      kind text not null,
      requested_at timestamptz not null,
      completed_at timestamptz not null,
      requested_by text not null,
      receipt text not null,
      removed_customers int not null,
      removed_interactions int not null,
      removed_events int not null
    )`.execute(db);
  // Lists, newest first (ids rise with time).
  await sql`create index on finished_erasure (workspace_id, id)`.execute(db);
  await sql`create index on finished_erasure (workspace_id, customer_id, id)`.execute(db);
  await sql`
    create view erasure as
    select erasure_id as id, workspace_id, customer_id, kind, requested_at,
      null::timestamptz as completed_at, requested_by, null::text as receipt,
      removed_customers, removed_interactions, removed_events
    from anonymisation
    union all
    select id, workspace_id, customer_id, kind, requested_at,
      completed_at, requested_by, receipt,
      removed_customers, removed_interactions, removed_events
    from finished_erasure`.execute(db);
  // Rows are few: one per rotation. The clock, because a transaction may begin before another key is created.
  await sql`
    create table erasure_key (
      kid text primary key,
      x text not null,
      sealed text,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
}

async function createRetention(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retention (
      workspace_id uuid primary key,
      completed_days int,
      ended_days int,
      draft_days int,
      version int not null default 0,
      page_token text not null default '',
      due_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create index on retention (due_at)
    where completed_days is not null or ended_days is not null or draft_days is not null`.execute(db);
}
