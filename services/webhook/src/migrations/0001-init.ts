import { createIdempotencyTable } from '@parley/postgres/idempotency';
import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const init: Migration = {
  up: async (db) => {
    await sql`
      create table webhook (
        id uuid primary key,
        workspace_id uuid not null,
        url text not null,
        is_active boolean not null,
        -- Since when: an event from before then is not for it.
        active_since timestamptz,
        event text not null,
        version int not null default 1,
        secret_token text,
        secret_token_fingerprint bytea,
        inactive_reason text check (inactive_reason in ('user', 'gone')),
        created_at timestamptz not null default now(),
        deleted_at timestamptz,
        check (deleted_at is null or not is_active),
        check (is_active = (active_since is not null)),
        check ((deleted_at is null) = (secret_token is not null))
      )`.execute(db);
    await sql`
      create unique index webhook_secret_token_unique on webhook (workspace_id, secret_token_fingerprint)
      where deleted_at is null`.execute(db);
    await sql`create index on webhook (workspace_id, id) where deleted_at is null`.execute(db);
    await sql`
      create table signing_secret (
        id uuid primary key,
        webhook_id uuid not null references webhook,
        workspace_id uuid not null,
        secret text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz
      )`.execute(db);
    await sql`create index on signing_secret (webhook_id, created_at)`.execute(db);
    await sql`
      create table event (
        id uuid primary key,
        workspace_id uuid not null,
        customer_id text not null,
        body bytea not null,
        traceparent text,
        completed_at timestamptz,
        received_at timestamptz,
        replaced_at timestamptz
      )`.execute(db);
    // No foreign keys on the two tables of the hot path: rows are made by statements that read what they point to, and
    // nothing deletes the latter first; a check per row would cost more than the row.
    await sql`
      create table delivery (
        id uuid primary key,
        workspace_id uuid not null,
        webhook_id uuid not null,
        event_id uuid not null,
        state text not null default 'pending'
          check (state in ('pending', 'succeeded', 'failed', 'skipped', 'discarded')),
        attempts int not null default 0,
        due_at timestamptz not null default now(),
        lease_token uuid,
        is_redacted boolean not null default false,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        unique (event_id, webhook_id)
      )`.execute(db);
    // What workers take, oldest first, and what a deactivation ends.
    await sql`create index on delivery (due_at) where state = 'pending'`.execute(db);
    await sql`create index on delivery (webhook_id, id) where state = 'pending'`.execute(db);
    await sql`
      create table attempt (
        delivery_id uuid not null,
        number int not null,
        workspace_id uuid not null,
        started_at timestamptz not null,
        duration_ms int not null,
        status int,
        error text,
        response_excerpt bytea,
        primary key (delivery_id, number)
      )`.execute(db);
    await createIdempotencyTable(db);
  },
};
