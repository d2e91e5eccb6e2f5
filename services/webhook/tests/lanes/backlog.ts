import type { SqlConnection } from '@parley/testing/database/sql';
import type { Hook } from './lanes.ts';

/**
 * Adds deliveries that are due since then, or wait (`infinity`) for others of their key; each with its own event. Does
 * not change their lane.
 */
export async function addBacklog(
  admin: SqlConnection,
  hook: Hook,
  { number, key = null, dueAt = 'infinity' }: { number: number; key?: string | null; dueAt?: string },
): Promise<void> {
  await admin.query(
    `with made as (
       insert into webhook.event (id, workspace_id, name, about, customer_id, status, data, extra, result,
       received_at)
       select uuidv7(), $1, 'InteractionCompleted', uuidv7()::text, 'c-1', 'Completed', '{}', '{}', '{}',
       now() from generate_series(1, $3) returning id
     )
     insert into webhook.open_delivery (id, workspace_id, webhook_id, event_id, ordering_key, due_at)
     select uuidv7(), $1, $2, id, $4, $5 from made`,
    [hook.workspaceId, hook.id, number, key, dueAt],
  );
}
