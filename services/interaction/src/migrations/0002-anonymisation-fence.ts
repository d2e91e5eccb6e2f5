import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * The fence between what was read of a customer before an anonymisation and what may still be written: whoever brings
 * details into a row holds it, shared, until the commit; raising it waits for those and is seen by all who come later.
 * Functions, since each of their statements sees what was committed while the lock was waited for; a statement of its own
 * would not.
 */
export const anonymisationFence: Migration = {
  up: async (db) => {
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
    await sql`
      alter table interaction
        add column fence_version int not null default 0,
        add column redacted_version int not null default 0`.execute(db);
    // Outboxes of before had it.
    await sql`alter table outbox drop column if exists subject`.execute(db);
  },
};
