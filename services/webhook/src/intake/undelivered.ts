import type { EventLogServiceService } from '@parley/contracts/events/v1/log';
import type { ListUndeliveredRequest, ListUndeliveredResponse } from '@parley/contracts/webhook/v1/webhook';
import type { Inbox } from '@parley/events/inbox';
import { reads } from '@parley/postgres/sql/dialect';
import type { RpcClient } from '@parley/rpc/definition';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** The consumer of events, and the log of the interaction service. */
export interface Reading {
  inbox: Pick<Inbox, 'readCursor' | 'listAside'>;
  log: Pick<RpcClient<EventLogServiceService>, 'listEvents'>;
  /** The subjects that the consumer reads in that log. */
  subjects: readonly string[];
}

/**
 * Returns the interactions that have open deliveries, or events that could not be handled. `isBehind` if the consumer
 * has not handled all events that were raised until the last change of the interactions.
 */
export async function listUndelivered(
  db: Db,
  { inbox, log, subjects }: Reading,
  { workspaceId, interactionIds, latestChangeAt }: ListUndeliveredRequest,
  requestId: string,
): Promise<ListUndeliveredResponse> {
  const after = await inbox.readCursor('interaction');
  if (after === null) return { interactionIds: [], isBehind: true };
  const unread = await log.listEvents(
    { after, types: [...subjects], limit: 1, fromNow: false },
    { requestId },
  );
  const [first] = unread.events;
  const isBehind = first ? (first.raisedAt ?? new Date(0)) <= (latestChangeAt ?? new Date()) : unread.hasMore;
  if (isBehind) return { interactionIds: [], isBehind };
  // First what waits: it becomes open deliveries, and would be in neither list.
  const aside = await inbox.listAside(workspaceId, interactionIds);
  const open = await listOpen(db, workspaceId, interactionIds);
  return { interactionIds: [...new Set([...open, ...aside])], isBehind };
}

async function listOpen(db: Db, workspaceId: string, interactionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ about: string }>`
    select about from event
    where about = any(${interactionIds}::text[]) and about <> '' and workspace_id = ${workspaceId} and exists (
      select from open_delivery
      where open_delivery.event_id = event.id and open_delivery.workspace_id = event.workspace_id)`.execute(
    reads(db),
  );
  return rows.map(({ about }) => about);
}
