import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** `hold_fence` for who cannot wait: version null while the fence is being raised. */
export const fenceWithoutWaiting: Migration = {
  up: async (db) => {
    await sql`
      create function try_to_hold_fence(of_workspace uuid, of_customer text, out version int, out raised_at timestamptz)
      language plpgsql as $$
      begin
        if not pg_try_advisory_xact_lock_shared(fence_key(of_workspace, of_customer)) then return; end if;
        select fence.version, fence.raised_at into version, raised_at from fence
        where fence.workspace_id = of_workspace and fence.customer_id = of_customer;
        version := coalesce(version, 0);
      end $$`.execute(db);
  },
};
