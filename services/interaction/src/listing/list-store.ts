import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { scans } from '@parley/postgres/sql/dialect';
import { anyRowOf, hiddenFromPlanner } from '@parley/postgres/sql/hidden-from-planner';
import { AppError } from '@parley/runtime/errors';
import { type Expression, type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { countFilters, type Filters, filtered, type Ids } from './filters.ts';
import { type MessageRow, messageColumns } from '../interactions/store.ts';

/** The first interactions of a list or page, newest first. */
export interface Listed {
  rows: readonly MessageRow[];
  /** The id after which the list may continue; undefined if it does not. */
  nextAfter?: string | undefined;
  /** Changes with every row of the list. Only with the first rows of a list that continues. */
  digest?: string;
  /** Only a short list was asked for, but this one is long. There are no rows. */
  isLong?: true;
}

/** Bytes of JSON per read, unless a single row has more. */
const bytesMax = 256 * 1024;
const customerRowsMax = 500;
/** Bytes of JSON of a short list, unless a single row has more. It costs as little as other small reads. */
const shortBytesMax = 64 * 1024;
const shortCustomerRowsMax = 100;

/** How many index entries a page may skip as a small read. */
const offsetMax = 1_000;

/** The order of a list. Ids rise with time too, but only an index on the instant has the rows of a period together. */
const byId = ['id'] as const;
const byCreation = ['createdAt', 'id'] as const;
type Order = typeof byId | typeof byCreation;

/**
 * Returns the first rows of a page, newest first, of a list with the total that `count` returns. Finds the page with
 * the index alone, from the nearer end of the list, so the last page costs as much as the first.
 */
export async function listInteractions(
  db: Kysely<Tables>,
  filters: Filters,
  { limit, offset, onlyShort }: { limit: number; offset: number; onlyShort: boolean },
  count: () => Promise<number>,
): Promise<Listed & { total: number }> {
  const { workspaceId } = filters;
  if (onlyShort && countFilters(filters) === 0 && offset <= offsetMax) {
    // The connection sends both at once.
    const [found, total] = await Promise.all([readShortPage(db, { workspaceId, limit, offset }), count()]);
    const { rows, ...listed } = shortOnly(listedOf(found));
    // The total may be older.
    return { ...listed, rows: rows.slice(0, Math.max(0, total - offset)), total };
  }
  const total = await count();
  const rowsLeft = Math.min(limit, total - offset);
  if (rowsLeft <= 0) return { rows: [], total };
  const isNearEnd = offset > total / 2;
  const isFar = Math.min(offset, total - offset) > offsetMax;
  const order = orderOf(filters);
  const ids = inOrder(filtered(db, filters), order, isNearEnd ? 'asc' : 'desc')
    .limit(rowsOfPage(filters, rowsLeft))
    .offset(rowsOfPage(filters, isNearEnd ? total - offset - rowsLeft : offset));
  const isScan = isFar || isSpread(filters);
  const reader = isScan || !onlyShort ? scans(db) : db;
  const bytes = onlyShort ? shortBytesMax : bytesMax;
  const listed = listedOf(await withinLimit(reader, workspaceId, ids, order, bytes).execute());
  return { ...(onlyShort ? shortOnly(listed) : await withDigest(db, workspaceId, ids, listed)), total };
}

const readShortPage = prepared(
  (db: Kysely<Tables>, page: Placeholders<{ workspaceId: string; limit: number; offset: number }>) => {
    const ids = db
      .selectFrom('interaction')
      .select('id')
      .where('workspaceId', '=', page.workspaceId)
      .orderBy('id', 'desc')
      .limit(hiddenFromPlanner<number>(page.limit, 'bigint'))
      .offset(hiddenFromPlanner<number>(page.offset, 'bigint'));
    return withinLimit(db, page.workspaceId, ids, byId, shortBytesMax);
  },
);

/** Returns the next interactions behind `after`, at most `limit`. ABORTED `lost-race` if `after` does not exist. */
export async function continueList(
  db: Kysely<Tables>,
  filters: Filters,
  after: string,
  limit: number,
): Promise<Listed> {
  const { workspaceId } = filters;
  const order = orderOf(filters);
  const all = filtered(db, filters);
  const rest =
    order === byId
      ? all.where('id', '<', after)
      : all.where(
          sql<boolean>`(created_at, id) < (${await creationOf(db, workspaceId, after)}::timestamptz, ${after}::uuid)`,
        );
  const ids = inOrder(rest, order, 'desc').limit(rowsOfPage(filters, limit));
  return listedOf(await withinLimit(scans(db), workspaceId, ids, order, bytesMax).execute());
}

function orderOf({ periods, stop }: Filters): Order {
  return periods.has('created') || stop ? byCreation : byId;
}

function inOrder(ids: Ids, order: Order, direction: 'asc' | 'desc'): Ids {
  let ordered = ids;
  for (const column of order) ordered = ordered.orderBy(column, direction);
  return ordered;
}

// An index has one filter. With more, the rows of a page may be far apart, as with a period in the order of ids.
function isSpread(filters: Filters): boolean {
  return countFilters(filters) > 1 || hasOtherOrder(filters);
}

function hasOtherOrder({ periods }: Filters): boolean {
  return periods.has('updated') || periods.has('completed');
}

// In the order of ids, few rows of a period are found by its index and sorted, and many along the ids. The planner must
// see how many are wanted.
function rowsOfPage(filters: Filters, rows: number) {
  return hasOtherOrder(filters) ? sql<number>`${rows}::bigint` : hiddenFromPlanner(rows, 'bigint');
}

/** Returns the creation of an interaction in full precision. */
async function creationOf(db: Kysely<Tables>, workspaceId: string, id: string): Promise<string> {
  const row = await db
    .selectFrom('interaction')
    .select(sql<string>`created_at::text`.as('createdAt'))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return row.createdAt;
  throw new AppError('aborted', 'lost-race', 'The list has changed meanwhile');
}

/** Returns all interactions of a customer, newest first, if they are a short list. */
export async function shortListOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
): Promise<Listed> {
  const found = await readShortOfCustomer(db, { workspaceId, customerId });
  return shortOnly(partOfCustomer(found, shortCustomerRowsMax));
}

const readShortOfCustomer = prepared(
  (db: Kysely<Tables>, key: Placeholders<{ workspaceId: string; customerId: string }>) => {
    const all = db
      .selectFrom('interaction')
      .select('id')
      .where('workspaceId', '=', key.workspaceId)
      .where('customerId', '=', key.customerId);
    return withinLimit(db, key.workspaceId, newestOf(all, shortCustomerRowsMax), byId, shortBytesMax);
  },
);

/** Returns the first interactions of a customer, newest first, or the next ones behind `after`. */
export async function listOfCustomer(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
  after: string | undefined,
): Promise<Listed> {
  const all = ofCustomer(db, workspaceId, customerId);
  const ids = after === undefined ? all : all.where('id', '<', after);
  const some = newestOf(ids, customerRowsMax);
  const found = await withinLimit(scans(db), workspaceId, some, byId, bytesMax).execute();
  const listed = partOfCustomer(found, customerRowsMax);
  return after === undefined ? withDigest(db, workspaceId, all, listed) : listed;
}

function newestOf(ids: Ids, rowsMax: number): Ids {
  return ids.orderBy('id', 'desc').limit(sql.lit(rowsMax));
}

function partOfCustomer(found: readonly FoundRow[], rowsMax: number): Listed {
  const listed = listedOf(found);
  const isCut = listed.rows.length === rowsMax;
  return isCut ? { ...listed, nextAfter: listed.rows.at(-1)?.id } : listed;
}

function shortOnly(listed: Listed): Listed {
  return listed.nextAfter === undefined ? listed : { rows: [], isLong: true };
}

type FoundRow = MessageRow & { found: number };

/** Selects the first rows with at most `bytes` in all, but at least one. Reads only the size of the others. */
function withinLimit(
  db: Kysely<Tables>,
  workspaceId: string | Expression<string>,
  ids: Ids,
  order: Order,
  bytes: number,
) {
  const newestFirst = sql.join(order.map((column) => sql`${sql.ref(column)} desc`));
  return db
    .selectFrom((from) =>
      from
        .selectFrom('interaction')
        .select(messageColumns)
        .select([
          sql<number>`sum(bytes) over (order by ${newestFirst} rows unbounded preceding) - bytes`.as(
            'bytesBefore',
          ),
          'bytes',
          sql<number>`count(*) over ()`.as('found'),
        ])
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', anyRowOf(ids))
        .as('page'),
    )
    .select([...messageColumns, 'found'])
    .where((is) => is.or([is('bytesBefore', '=', 0), is(sql`bytes_before + bytes`, '<=', sql.lit(bytes))]))
    .orderBy(newestFirst);
}

function listedOf(found: readonly FoundRow[]): Listed {
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

function ofCustomer(db: Kysely<Tables>, workspaceId: string, customerId: string): Ids {
  return filtered(db, { workspaceId, customerId, periods: new Map(), evaluation: [] });
}
