import { createEventLog } from '@parley/events/log';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/migrate';
import { createPartitionFunctions } from '@parley/postgres/partitions';
import { countRows } from '@parley/postgres/row-count';
import { sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    // Ids are the clients' own and are compared byte by byte, whatever the collation of the database.
    await sql`
      create table customer (
        workspace_id uuid not null,
        id text collate "C" not null,
        first_name text not null,
        last_name text not null,
        email text not null,
        version int not null default 1,
        created_at timestamptz not null default now(),
        constraint customer_key primary key (workspace_id, id)
      )`.execute(db);
    // The list: oldest first.
    await sql`create index on customer (workspace_id, created_at, id)`.execute(db);
    await countRows(db, 'customer', { workspace_id: 'uuid' });
    await sql`
      create table anonymisation (
        workspace_id uuid not null,
        customer_id text collate "C" not null,
        version int not null,
        details text[] not null,
        asked_again boolean not null default false,
        alive_at timestamptz not null default now(),
        primary key (workspace_id, customer_id)
      )`.execute(db);
    await createIdempotencyTable(db);
    await createPartitionFunctions(db);
    await createEventLog(db);
  },
};
