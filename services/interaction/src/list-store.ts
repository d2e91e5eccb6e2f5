import { oneOf, unseen } from '@parley/postgres/unseen';
import { invalidRequest } from '@parley/runtime/errors';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { type MessageRow, messageColumns } from './interaction-store.ts';
import type { Priority, Status, Tables } from './schema.ts';

/** Which of a workspace's interactions: those that fit all that is given. */
export interface Filters {
  workspaceId: string;
  status?: Status | undefined;
  priority?: Priority | undefined;
  botId?: string | undefined;
  customerId?: string | undefined;
}

/** The first interactions of a list, newest first. */
export interface Listed {
  rows: MessageRow[];
  /** The id behind which the list goes on; undefined when this is all of it. */
  nextAfter?: string | undefined;
  /** Of the beginning of a list that goes on: changes with every row of the list. */
  digest?: string;
}

/** The id behind which a list goes on, if it does. INVALID_ARGUMENT for what is no id. */
export function positionOf(after: string | null | undefined): string | undefined {
  if (typeof after !== 'string') return undefined;
  if (!isUuid(after)) throw invalidRequest([{ pointer: '/after', detail: 'Must be an id of the list' }]);
  return after;
}

/** How many bytes of JSON are read at once, unless one row alone has more. */
const bytesMax = 256 * 1024;
/** How many rows of a customer are read at once. */
const customerRowsMax = 500;

/** Ids of interactions. */
type Ids = SelectQueryBuilder<Tables, 'interaction', { id: string }>;

/**
 * A page of them, newest first, where `total` are known to be: its first rows, and where it goes on. The index alone
 * finds the page, from the end of the list that is nearer, so that the last page costs what the first one does. New
 * ones come at the other end.
 */
export async function listInteractions(
  db: Kysely<Tables>,
  filters: Filters,
  { limit, offset }: { limit: number; offset: number },
  total: number,
): Promise<Listed> {
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return { rows: [] };
  const isNearEnd = offset > total / 2;
  const ids = thatFit(db, filters)
    .select('id')
    .orderBy('id', isNearEnd ? 'asc' : 'desc')
    .limit(unseen(wanted, 'bigint'))
    .offset(unseen(isNearEnd ? total - offset - wanted : offset, 'bigint'));
  return withDigest(db, filters.workspaceId, ids, await readWithinLimit(db, filters.workspaceId, ids));
}

/** The next `limit` of the list behind an interaction of it. */
export async function continueList(
  db: Kysely<Tables>,
  filters: Filters,
  after: string,
  limit: number,
): Promise<Listed> {
  const ids = thatFit(db, filters)
    .select('id')
    .where('id', '<', after)
    .orderBy('id', 'desc')
    .limit(unseen(limit, 'bigint'));
  return readWithinLimit(db, filters.workspaceId, ids);
}

/** The interactions of one customer, newest first: all, or those behind `after`. */
export async function listOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
  after: string | undefined,
): Promise<Listed> {
  const all = thatFit(db, { workspaceId, customerId }).select('id');
  const ids = after === undefined ? all : all.where('id', '<', after);
  const some = ids.orderBy('id', 'desc').limit(sql.lit(customerRowsMax));
  const listed = await readWithinLimit(db, workspaceId, some);
  const isCut = listed.rows.length === customerRowsMax;
  const first = isCut ? { ...listed, nextAfter: listed.rows.at(-1)?.id } : listed;
  return after === undefined ? withDigest(db, workspaceId, all, first) : first;
}

/** The first of the rows that have `bytesMax` together, at least one. No more is read of the others than their size. */
async function readWithinLimit(db: Kysely<Tables>, workspaceId: string, ids: Ids): Promise<Listed> {
  const found = await db
    .selectFrom((from) =>
      from
        .selectFrom('interaction')
        .select(messageColumns)
        .select([
          sql<number>`sum(bytes) over (order by id desc rows unbounded preceding) - bytes`.as('bytesBefore'),
          'bytes',
          sql<number>`count(*) over ()`.as('found'),
        ])
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', oneOf(ids))
        .as('page'),
    )
    .select([...messageColumns, 'found'])
    .where((is) => is.or([is('bytesBefore', '=', 0), is(sql`bytes_before + bytes`, '<=', bytesMax)]))
    .orderBy('id', 'desc')
    .execute();
  const last = found.at(-1);
  return { rows: found, nextAfter: last && last.found > found.length ? last.id : undefined };
}

/** Adds the digest where the list goes on. */
async function withDigest(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: Ids,
  listed: Listed,
): Promise<Listed> {
  if (listed.nextAfter === undefined) return listed;
  const { digest } = await db
    .selectFrom('interaction')
    .select(sql<string>`md5(string_agg(id || '.' || version, ',' order by id))`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', oneOf(ids))
    .executeTakeFirstOrThrow();
  return { ...listed, digest };
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
