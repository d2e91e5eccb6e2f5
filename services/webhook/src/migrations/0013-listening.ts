import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** From when to when events are kept for a webhook, also when they come later. See docs/decisions/0018. */
export const listening: Migration = {
  up: async (db) => {
    await sql`
      alter table webhook
        add column listening_since timestamptz,
        add column listened tstzmultirange not null default '{}'`.execute(db);
    await sql`
      update webhook set listening_since = coalesce(active_since, created_at)
      where deleted_at is null and (is_active or inactive_reason = 'auto')`.execute(db);
  },
};
