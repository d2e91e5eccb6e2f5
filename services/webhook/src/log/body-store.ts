import type { DeliveryBody } from '@parley/contracts/webhook/v1/delivery';
import { reads } from '@parley/postgres/sql/dialect';
import { sql } from 'kysely';
import type { Db, WebhookKey } from '../schema.ts';
import { bodyOf, type Content } from '../sending/rules/body.ts';
import { isFinished } from './log-store.ts';

/**
 * Returns the body of the requests of a delivery: the same bytes as in each attempt, or what an anonymisation has put
 * in their place. Without a body if the event is deleted.
 */
export async function findBody(db: Db, webhook: WebhookKey, id: string): Promise<DeliveryBody> {
  const { workspaceId, webhookId } = webhook;
  const { rows } = await sql<Content & { isRedacted: boolean }>`
    with found as materialized (
      select event_id, is_enveloped, is_redacted from open_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id}
      union all
      select event_id, is_enveloped, is_redacted from finished_delivery where ${isFinished(webhook, [id])}
    )
    select event.id as event_id, event.name as event_name, convert_from(event.data, 'UTF8') as data, event.extra,
      convert_from(event.result, 'UTF8') as result, event.is_test, found.is_enveloped, found.is_redacted,
      1000 * extract(epoch from coalesce(event.raised_at, event.received_at))::float8 as event_at_ms
    from found
    join event on event.id = found.event_id and event.workspace_id = ${workspaceId} and octet_length(event.data) > 0
    limit 1`.execute(reads(db));
  const [row] = rows;
  return row ? { body: bodyOf(row), isRedacted: row.isRedacted } : { isRedacted: false };
}
