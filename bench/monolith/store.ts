import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { InteractionTable, Tables } from './database.ts';

// The statements of the services, as Kysely builds them by default.

export type InteractionRow = Selectable<InteractionTable>;
type Db = Kysely<Tables> | Transaction<Tables>;

const columns = [
  'id',
  'status',
  'priority',
  'expires_at',
  'created_at',
  'customer_id',
  'type',
  'type_label',
  'context',
  'version',
  'workspace_id',
  'bot_id',
  'bot_version',
  'link_version',
  'stalls_at',
  'completed_at',
  'state',
  'transcript',
  'evaluation',
  'seq',
] as const;

const isOpen = sql<SqlBool>`status in ('Draft', 'Pending', 'InProgress')`;

export function findInteraction(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<InteractionRow | undefined> {
  return interaction(db, workspaceId, id).executeTakeFirst();
}

export function lockInteraction(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<InteractionRow | undefined> {
  return interaction(db, workspaceId, id).forUpdate().executeTakeFirst();
}

function interaction(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('interaction')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id);
}

export interface Filters {
  status?: InteractionRow['status'] | undefined;
  priority?: InteractionRow['priority'] | undefined;
  botId?: string | undefined;
  customerId?: string | undefined;
}

export function listInteractions(
  db: Db,
  workspaceId: string,
  filters: Filters,
  page: { page: number; pageSize: number },
): Promise<InteractionRow[]> {
  let query = db.selectFrom('interaction').select(columns).where('workspace_id', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('bot_id', '=', filters.botId);
  if (filters.customerId) query = query.where('customer_id', '=', filters.customerId);
  return query
    .orderBy('id', 'desc')
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute();
}

export async function countInteractions(db: Db, workspaceId: string, filters: Filters): Promise<number> {
  if (filters.customerId) {
    const { total } = await db
      .selectFrom('interaction')
      .select(sql<string>`count(*)`.as('total'))
      .where('workspace_id', '=', workspaceId)
      .where('customer_id', '=', filters.customerId)
      .executeTakeFirstOrThrow();
    return Number(total);
  }
  let query = db
    .selectFrom('interaction_count')
    .select(sql<string>`coalesce(sum(n), 0)`.as('total'))
    .where('workspace_id', '=', workspaceId);
  if (filters.status) query = query.where('status', '=', filters.status);
  if (filters.priority) query = query.where('priority', '=', filters.priority);
  if (filters.botId) query = query.where('bot_id', '=', filters.botId);
  return Number((await query.executeTakeFirstOrThrow()).total);
}

/** Expires overdue interactions, so that a list is exact. Mostly there are none. */
export async function expireDue(db: Db, workspaceId: string): Promise<void> {
  const due = db
    .selectFrom('interaction')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', new Date())
    .where(isOpen)
    .orderBy('expires_at');
  if (!(await due.limit(1).executeTakeFirst())) return;
  await db
    .updateTable('interaction')
    .set({ status: 'Expired', version: sql<number>`version + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', due)
    .execute();
}

export function listOfCustomer(db: Db, workspaceId: string, customerId: string): Promise<InteractionRow[]> {
  return db
    .selectFrom('interaction')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .execute();
}

export function findCustomer(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('customer')
    .select(['id', 'first_name', 'last_name', 'email', 'version'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function ensureCustomer(db: Db, workspaceId: string, id: string): Promise<void> {
  if (await findCustomer(db, workspaceId, id)) return;
  await db
    .insertInto('customer')
    .values({ workspace_id: workspaceId, id, first_name: '', last_name: '', email: '' })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .execute();
}

export function findBot(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('bot')
    .select(['id', 'type', 'type_label', 'context', 'version'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findDefinition(
  db: Db,
  row: Pick<InteractionRow, 'workspace_id' | 'bot_id'>,
  version: number,
) {
  const found = await db
    .selectFrom('bot_version')
    .select('definition')
    .where('workspace_id', '=', row.workspace_id)
    .where('bot_id', '=', row.bot_id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return found.definition;
}

export function insertInteraction(
  db: Db,
  row: Omit<Insertable<InteractionTable>, 'id'>,
): Promise<InteractionRow> {
  return db
    .insertInto('interaction')
    .values({ ...row, id: sql<string>`uuidv7()` })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** A message id that is taken violates the table's key. */
export async function insertMessage(
  db: Db,
  row: Pick<InteractionRow, 'id' | 'workspace_id'>,
  clientMessageId: string,
  fingerprint: Buffer,
): Promise<void> {
  await db
    .insertInto('message')
    .values({
      interaction_id: row.id,
      workspace_id: row.workspace_id,
      client_message_id: clientMessageId,
      fingerprint,
    })
    .execute();
}

/** Saves the changes of a turn to the locked row. */
export async function saveConversation(
  db: Db,
  row: Pick<InteractionRow, 'id' | 'workspace_id'>,
  {
    stallsAt,
    completedAt,
    ...change
  }: {
    stallsAt?: Date | null;
    completedAt?: Date | null;
    status?: InteractionRow['status'];
    state?: InteractionRow['state'];
    transcript?: InteractionRow['transcript'];
    evaluation?: InteractionRow['evaluation'];
    seq?: number;
  },
): Promise<void> {
  await db
    .updateTable('interaction')
    .set({
      ...change,
      ...(stallsAt !== undefined && { stalls_at: stallsAt }),
      ...(completedAt !== undefined && { completed_at: completedAt }),
      state: JSON.stringify(change.state),
      transcript: JSON.stringify(change.transcript),
      evaluation: JSON.stringify(change.evaluation),
      version: sql<number>`version + 1`,
    })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}
