import { oneOf, unseen } from '@parley/postgres/unseen';
import { type Kysely, sql } from 'kysely';
import { type InteractionRow, interactionColumns } from './interaction-store.ts';
import type { Priority, Status, Tables } from './schema.ts';

/** Which of a workspace's interactions: those that fit all that is given. */
export interface Filters {
  workspaceId: string;
  status?: Status | undefined;
  priority?: Priority | undefined;
  botId?: string | undefined;
  customerId?: string | undefined;
}

/**
 * A page of them, newest first, where `total` are known to be. The index alone finds the page, from the end of the list
 * that is nearer, so that the last page costs what the first one does. New ones come at the other end.
 */
export async function listInteractions(
  db: Kysely<Tables>,
  filters: Filters,
  { limit, offset }: { limit: number; offset: number },
  total: number,
): Promise<InteractionRow[]> {
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return [];
  const isNearEnd = offset > total / 2;
  const ids = thatFit(db, filters)
    .select('id')
    .orderBy('id', isNearEnd ? 'asc' : 'desc')
    .limit(unseen(wanted, 'bigint'))
    .offset(unseen(isNearEnd ? total - offset - wanted : offset, 'bigint'));
  return db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('workspaceId', '=', filters.workspaceId)
    .where('id', '=', oneOf(ids))
    .orderBy('id', 'desc')
    .execute();
}

function thatFit(db: Kysely<Tables>, { workspaceId, ...filters }: Filters) {
  let query = db.selectFrom('interaction').where('workspaceId', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('botId', '=', filters.botId);
  if (filters.customerId !== undefined) query = query.where('customerId', '=', filters.customerId);
  return query;
}

/** How many there are: exact, from the kept counts; for one customer by counting that customer's. */
export async function countInteractions(db: Kysely<Tables>, filters: Filters): Promise<number> {
  const query =
    filters.customerId === undefined
      ? keptCount(db, filters)
      : thatFit(db, filters).select(sql<number>`count(*)`.as('total'));
  return (await query.executeTakeFirstOrThrow()).total;
}

function keptCount(db: Kysely<Tables>, { workspaceId, ...filters }: Filters) {
  let query = db
    .selectFrom('interactionCount')
    .select(sql<number>`coalesce(sum(n), 0)::int8`.as('total'))
    .where('workspaceId', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('botId', '=', filters.botId);
  return query;
}

/** All interactions of one customer, newest first. */
export async function listOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
): Promise<InteractionRow[]> {
  return db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .orderBy('id', 'desc')
    .execute();
}
