import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { storedBody } from './stored-body.ts';

/**
 * Puts other bodies in the place of what is stored, or of what will come, and wipes what receivers answered to those
 * events. A result that is recorded at the same moment keeps no answer either: see `recordOutcomes`. What was replaced for
 * a later version of the customer stays. Ids must differ.
 */
export async function replaceBodies(
  db: Kysely<Tables>,
  owner: { workspaceId: string; customerId: string; customerVersion: number },
  bodies: readonly { eventId: string; body: Buffer }[],
): Promise<void> {
  const ids = bodies.map((one) => one.eventId);
  const { workspaceId, customerId, customerVersion } = owner;
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into event (id, workspace_id, customer_id, body, redacted_version, put_at)
      select id, ${workspaceId}::uuid, ${customerId}, body, ${customerVersion}::int, now()
      from unnest(${ids}::uuid[], ${bodies.map((one) => storedBody(one.body))}::bytea[]) as given (id, body) order by id
      on conflict (id) do update set body = excluded.body, redacted_version = excluded.redacted_version
        where event.workspace_id = excluded.workspace_id
          and coalesce(event.redacted_version, 0) <= excluded.redacted_version`.execute(trx);
    // The open ones first: what is settled meanwhile is among the finished ones when it is gone from here.
    await sql`
      update open_delivery set is_redacted = true
      from (
        select id from open_delivery
        where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId} order by id for update
      ) as concerned
      where open_delivery.event_id = any(${ids}::uuid[]) and open_delivery.id = concerned.id
        and open_delivery.workspace_id = ${workspaceId}`.execute(trx);
    await sql`
      update finished_delivery set is_redacted = true, response_excerpt = null
      where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}`.execute(trx);
    await sql`
      update attempt set response_excerpt = null
      where workspace_id = ${workspaceId} and delivery_id = any(array(
        select id from delivery where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}))`.execute(
      trx,
    );
  });
}
