import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The last attempt of a delivery is logged in the row of the delivery that it ends. See docs/decisions/0018. */
export const lastAttempt: Migration = {
  up: async (db) => {
    await sql`
      alter table finished_delivery
        add column started_at timestamptz,
        add column duration_ms int,
        add column dns_ms int,
        add column connect_ms int,
        add column tls_ms int,
        add column first_byte_ms int,
        add column status int,
        add column error text,
        add column response_excerpt bytea`.execute(db);
    // A copy of the version before marks a delivery, and knows of no answer in its row.
    await sql`
      create function wipe_excerpt() returns trigger language plpgsql as $body$
      begin
        new.response_excerpt := null;
        return new;
      end $body$`.execute(db);
    await sql`
      create trigger wipe_excerpt before update of is_redacted on finished_delivery for each row
      when (new.is_redacted and new.response_excerpt is not null) execute function wipe_excerpt()`.execute(
      db,
    );
    await sql`
      create view every_attempt with (security_invoker) as
      select delivery_id, number, workspace_id, recorded_at, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
        first_byte_ms, status, error, response_excerpt
      from attempt
      union all
      select id, attempts, workspace_id, finished_at, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        status, error, response_excerpt
      from finished_delivery where started_at is not null`.execute(db);
  },
};
