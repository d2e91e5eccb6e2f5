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

/** A page of them, newest first. */
export async function listInteractions(
  db: Kysely<Tables>,
  { workspaceId, ...filters }: Filters,
  page: { limit: number; offset: number },
): Promise<InteractionRow[]> {
  let query = db.selectFrom('interaction').select(interactionColumns).where('workspaceId', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('botId', '=', filters.botId);
  if (filters.customerId !== undefined) query = query.where('customerId', '=', filters.customerId);
  return query.orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
}

/** How many there are: exact, from the kept counts; for one customer by counting that customer's. */
export async function countInteractions(db: Kysely<Tables>, filters: Filters): Promise<number> {
  const { customerId } = filters;
  const row = await (customerId === undefined
    ? countKept(db, filters)
    : countOfCustomer(db, filters, customerId));
  return row.total;
}

async function countKept(
  db: Kysely<Tables>,
  { workspaceId, ...filters }: Filters,
): Promise<{ total: number }> {
  let query = db
    .selectFrom('interactionCount')
    .select(sql<number>`coalesce(sum(n), 0)::int8`.as('total'))
    .where('workspaceId', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('botId', '=', filters.botId);
  return query.executeTakeFirstOrThrow();
}

async function countOfCustomer(
  db: Kysely<Tables>,
  { workspaceId, ...filters }: Filters,
  customerId: string,
): Promise<{ total: number }> {
  let query = db
    .selectFrom('interaction')
    .select(sql<number>`count(*)`.as('total'))
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('botId', '=', filters.botId);
  return query.executeTakeFirstOrThrow();
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
