import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The log has the answers that pause a webhook, and a lane says why it is paused. See docs/decisions/0018. */
export const pauses: Migration = {
  up: async (db) => {
    await sql`alter table attempt add column pause_ms int`.execute(db);
    await sql`alter table finished_delivery add column pause_ms int`.execute(db);
    await sql`
      alter table lane
        add column pause_reason text check (pause_reason in ('rate_limited', 'unavailable'))`.execute(db);
    await sql`
      create or replace view every_attempt with (security_invoker) as
      select delivery_id, number, workspace_id, recorded_at, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
        first_byte_ms, status, error, response_excerpt, pause_ms
      from attempt
      union all
      select id, attempts + (pause_ms is not null)::int, workspace_id, finished_at, started_at, duration_ms, dns_ms,
        connect_ms, tls_ms, first_byte_ms, status, error, response_excerpt, pause_ms
      from finished_delivery where started_at is not null`.execute(db);
  },
};
