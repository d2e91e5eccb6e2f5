import { createOutboxTable } from '@parley/events/outbox';
import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/migrate';
import { countRows } from '@parley/postgres/row-count';
import { sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
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
    await sql`
      create table interaction (
        id uuid primary key,
        workspace_id uuid not null,
        customer_id text not null,
        bot_id uuid not null references bot,
        bot_version int,
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
        seq int not null default 0
      )`.execute(db);
    // Lists: all of a workspace, by filter, and of one customer, newest first (ids rise with time).
    await sql`create index on interaction (workspace_id, id)`.execute(db);
    await sql`create index on interaction (workspace_id, status, id)`.execute(db);
    await sql`create index on interaction (workspace_id, priority, id)`.execute(db);
    await sql`create index on interaction (workspace_id, bot_id, id)`.execute(db);
    await sql`create index on interaction (workspace_id, customer_id, id)`.execute(db);
    // What the clock has to end.
    await sql`
      create index on interaction (expires_at)
      where expires_at is not null and status in ('Draft', 'Pending', 'InProgress')`.execute(db);
    await countRows(db, 'interaction', {
      workspace_id: 'uuid',
      bot_id: 'uuid',
      status: 'text',
      priority: 'text',
    });
    await sql`
      create table message (
        interaction_id uuid not null references interaction on delete cascade,
        workspace_id uuid not null,
        client_message_id text not null,
        fingerprint bytea not null,
        created_at timestamptz not null default now(),
        primary key (interaction_id, client_message_id)
      )`.execute(db);
    await createOutboxTable(db);
    await createIdempotencyTable(db);
  },
};
