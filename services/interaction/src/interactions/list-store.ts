import { scans } from '@parley/postgres/dialect';
import { anyRowOf, hiddenFromPlanner } from '@parley/postgres/hidden-from-planner';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Priority, Status, Tables } from '../schema.ts';
import { type MessageRow, messageColumns } from './store.ts';

/** Filters of a workspace's interactions, combined with `and`. */
export interface Filters {
  workspaceId: string;
  status?: Status | undefined;
  priority?: Priority | undefined;
  botId?: string | undefined;
  customerId?: string | undefined;
}

/** The first interactions of a list or page, newest first. */
export interface Listed {
  rows: MessageRow[];
  /** The id after which the list may continue; undefined if it does not. */
  nextAfter?: string | undefined;
  /** Changes with every row of the list. Only with the first rows of a list that continues. */
  digest?: string;
  /** Only a short list was asked for, but this one is long. There are no rows. */
  isLong?: true;
}

/** Bytes of JSON per read, unless a single row has more. */
const bytesMax = 256 * 1024;
/** Rows of a customer per read. */
const customerRowsMax = 500;
/** Bytes of JSON of a short list, unless a single row has more. It costs as little as other small reads. */
const shortBytesMax = 64 * 1024;
/** Rows of a customer's short list. */
const shortCustomerRowsMax = 100;

/** How many index entries a page may skip as a small read. */
const offsetMax = 1_000;

/** Ids of interactions. */
type Ids = SelectQueryBuilder<Tables, 'interaction', { id: string }>;

/**
 * Returns the first rows of a page, newest first, of `total` interactions. Finds the page with the index alone, from
 * the nearer end of the list, so the last page costs as much as the first.
 */
export async function listInteractions(
  db: Kysely<Tables>,
  filters: Filters,
  { limit, offset, onlyShort }: { limit: number; offset: number; onlyShort: boolean },
  total: number,
): Promise<Listed> {
  const rowsLeft = Math.min(limit, total - offset);
  if (rowsLeft <= 0) return { rows: [] };
  const isNearEnd = offset > total / 2;
  const ids = filtered(db, filters)
    .select('id')
    .orderBy('id', isNearEnd ? 'asc' : 'desc')
    .limit(hiddenFromPlanner(rowsLeft, 'bigint'))
    .offset(hiddenFromPlanner(isNearEnd ? total - offset - rowsLeft : offset, 'bigint'));
  // An index has one filter. With more, the rows of a page may be far apart.
  const isScan = Math.min(offset, total - offset) > offsetMax || Object.keys(given(filters)).length > 2;
  const reader = isScan || !onlyShort ? scans(db) : db;
  const listed = await readWithinLimit(
    reader,
    filters.workspaceId,
    ids,
    onlyShort ? shortBytesMax : bytesMax,
  );
  return onlyShort ? shortOnly(listed) : withDigest(db, filters.workspaceId, ids, listed);
}

/** Returns the next interactions behind `after`, at most `limit`. */
export async function continueList(
  db: Kysely<Tables>,
  filters: Filters,
  after: string,
  limit: number,
): Promise<Listed> {
  const ids = filtered(db, filters)
    .select('id')
    .where('id', '<', after)
    .orderBy('id', 'desc')
    .limit(hiddenFromPlanner(limit, 'bigint'));
  return readWithinLimit(scans(db), filters.workspaceId, ids, bytesMax);
}

/** Returns all interactions of a customer, newest first, if they are a short list. */
export async function shortListOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
): Promise<Listed> {
  const all = filtered(db, { workspaceId, customerId }).select('id');
  return shortOnly(await firstOfCustomer(db, workspaceId, all, shortCustomerRowsMax, shortBytesMax));
}

/** Returns the first interactions of a customer, newest first, or the next ones behind `after`. */
export async function listOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
  after: string | undefined,
): Promise<Listed> {
  const all = filtered(db, { workspaceId, customerId }).select('id');
  const ids = after === undefined ? all : all.where('id', '<', after);
  const listed = await firstOfCustomer(scans(db), workspaceId, ids, customerRowsMax, bytesMax);
  return after === undefined ? withDigest(db, workspaceId, all, listed) : listed;
}

async function firstOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: Ids,
  rowsMax: number,
  bytes: number,
): Promise<Listed> {
  const some = ids.orderBy('id', 'desc').limit(sql.lit(rowsMax));
  const listed = await readWithinLimit(db, workspaceId, some, bytes);
  const isCut = listed.rows.length === rowsMax;
  return isCut ? { ...listed, nextAfter: listed.rows.at(-1)?.id } : listed;
}

function shortOnly(listed: Listed): Listed {
  return listed.nextAfter === undefined ? listed : { rows: [], isLong: true };
}

/** Returns the first rows with at most `bytes` in all, but at least one. Reads only the size of the others. */
async function readWithinLimit(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: Ids,
  bytes: number,
): Promise<Listed> {
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
        .where('id', '=', anyRowOf(ids))
        .as('page'),
    )
    .select([...messageColumns, 'found'])
    .where((is) => is.or([is('bytesBefore', '=', 0), is(sql`bytes_before + bytes`, '<=', sql.lit(bytes))]))
    .orderBy('id', 'desc')
    .execute();
  const last = found.at(-1);
  return { rows: found, nextAfter: last && last.found > found.length ? last.id : undefined };
}

/** Adds the digest if the list continues. */
async function withDigest(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: Ids,
  listed: Listed,
): Promise<Listed> {
  if (listed.nextAfter === undefined) return listed;
  const { digest } = await scans(db)
    .selectFrom('interaction')
    .select(sql<string>`md5(string_agg(id || '.' || version, ',' order by id))`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', anyRowOf(ids))
    .executeTakeFirstOrThrow();
  return { ...listed, digest };
}

function filtered(db: Kysely<Tables>, filters: Filters) {
  return db.selectFrom('interaction').where(({ and }) => and(given(filters)));
}

/** Returns the filters without absent ones. */
function given<Values extends Filters>(filters: Values): Values {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Values;
}

/** Returns the exact number: the stored counts, or for one customer, a count of the rows. */
export async function countInteractions(db: Kysely<Tables>, filters: Filters): Promise<number> {
  const query =
    filters.customerId === undefined
      ? storedCount(scans(db), filters)
      : filtered(scans(db), filters).select(sql<number>`count(*)`.as('total'));
  return (await query.executeTakeFirstOrThrow()).total;
}

function storedCount(db: Kysely<Tables>, filters: Omit<Filters, 'customerId'>) {
  return db
    .selectFrom('interactionCount')
    .select(sql<number>`coalesce(sum(n), 0)::int8`.as('total'))
    .where(({ and }) => and(given(filters)));
}
