import { scans } from '@parley/postgres/sql/dialect';
import { anyRowOf } from '@parley/postgres/sql/hidden-from-planner';
import { storeName } from '@parley/postgres/store-name';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { ExportPosition } from './export-cursor.ts';
import { countFilters, type Filters, filteredRows } from '../listing/filters.ts';
import { type MessageRow, messageColumns } from '../interactions/store.ts';

export interface ExportedRow extends MessageRow {
  changedIn: string;
  botKey: string;
}

export interface ExportPage {
  rows: ExportedRow[];
  /** Behind the last interaction that was looked at. */
  position: ExportPosition;
  hasMore: boolean;
  /** Whether a committed change is left out, because an earlier transaction has not ended. */
  hasUnsettled: boolean;
}

/** Interactions of a page, unless it reaches its bytes before. */
const rowsMax = 100;
/** Bytes of JSON of a page, unless a single row has more. */
const bytesMax = 64 * 1024;
/** How many index entries a page looks at, so that filters that few interactions match make no page slow. */
export const scannedMax = 20_000;

/** Transactions from this one on may be in progress. */
const settled = sql`(select pg_snapshot_xmin(pg_current_snapshot()))`;
/** No transaction of this server has this id yet. Rows that came from another server may have it. */
const next = sql`(select pg_snapshot_xmax(pg_current_snapshot()))`;

interface Store {
  /** As of `storeName`. */
  store: string;
  /** Whether interactions have the numbers of another server. */
  hasMoved: boolean;
}

export async function readStore(db: Kysely<Tables>, workspaceId: string): Promise<Store> {
  const { rows } = await sql<Store>`
    select ${storeName('interaction')} as store,
      exists (
        select from interaction where workspace_id = ${workspaceId} and changed_in >= ${next}) as has_moved`.execute(
    scans(db),
  );
  const [found] = rows;
  if (!found) throw new Error('a select without from has a row');
  return found;
}

const restampedMax = 5_000;

/**
 * Stamps interactions that have the numbers of another server as changed by a transaction of this one, in their order,
 * as many as one transaction should. They stay as they are otherwise.
 */
export async function restamp(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`
    with moved as (
      select id from interaction where workspace_id = ${workspaceId} and changed_in >= ${next}
      order by changed_in, id limit ${restampedMax} for update skip locked
    )
    update interaction set changed_in = pg_current_xact_id()
    from moved where interaction.workspace_id = ${workspaceId} and interaction.id = moved.id`.execute(db);
}

/**
 * Returns the interactions behind a position, oldest change first. Every change has the id of its transaction. Changes
 * of transactions that may be in progress are left out, so a late commit is behind all positions that were returned.
 */
export async function exportPage(
  db: Kysely<Tables>,
  filters: Filters,
  after: ExportPosition,
  withUnsettled: boolean,
): Promise<ExportPage> {
  const { workspaceId } = filters;
  const isBehind = sql<boolean>`(changed_in, id) > (${after.changedIn}::xid8, ${after.id}::uuid)`;
  const mayShow = sql<boolean>`(${withUnsettled} or changed_in < ${settled})`;
  // Before the page, which then has everything that is settled here.
  const isUnsettled = !withUnsettled && (await hasUnsettled(db, workspaceId));
  const end = countFilters(filters) === 0 ? undefined : await windowEnd(db, workspaceId, isBehind, mayShow);
  let ids = filteredRows(db, filters).where(isBehind).where(mayShow);
  if (end) ids = ids.where(sql<boolean>`(changed_in, id) <= (${end.changedIn}::xid8, ${end.id}::uuid)`);
  const page = ids.orderBy('changedIn').orderBy('id').limit(sql.lit(rowsMax));
  const rows = await readRows(db, workspaceId, page);
  const last = rows.at(-1);
  const isCut = last !== undefined && (rows.length === rowsMax || last.found > rows.length);
  return {
    rows,
    position: (isCut ? last : (end ?? last)) ?? after,
    hasMore: isCut || end !== undefined,
    hasUnsettled: isUnsettled,
  };
}

/** Returns the position of the last index entry that a page looks at. Undefined if there are fewer entries. */
async function windowEnd(
  db: Kysely<Tables>,
  workspaceId: string,
  isBehind: ReturnType<typeof sql<boolean>>,
  mayShow: ReturnType<typeof sql<boolean>>,
): Promise<ExportPosition | undefined> {
  return scans(db)
    .selectFrom('interaction')
    .select([sql<string>`changed_in::text`.as('changedIn'), 'id', 'updatedAt'])
    .where('workspaceId', '=', workspaceId)
    .where(isBehind)
    .where(mayShow)
    .orderBy('interaction.changedIn')
    .orderBy('id')
    .offset(sql.lit(scannedMax - 1))
    .limit(sql.lit(1))
    .executeTakeFirst();
}

async function readRows(db: Kysely<Tables>, workspaceId: string, ids: ReturnType<typeof filteredRows>) {
  const columns = messageColumns.map((column) => sql.ref(`interaction.${column}`));
  const { rows } = await sql<ExportedRow & { found: number }>`
    select * from (
      select ${sql.join(columns)}, changed_in::text as changed_in, changed_in as position,
        bot.key as bot_key, count(*) over () as found,
        sum(bytes) over (order by changed_in, interaction.id rows unbounded preceding) as bytes_so_far,
        bytes
      from interaction
      join bot on bot.id = interaction.bot_id and bot.workspace_id = interaction.workspace_id
      where interaction.workspace_id = ${workspaceId} and interaction.id = ${anyRowOf(ids)}
    ) as page
    where bytes_so_far = bytes or bytes_so_far <= ${bytesMax}
    order by position, id`.execute(scans(db));
  return rows;
}

async function hasUnsettled(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  const found = await scans(db)
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where(sql<boolean>`changed_in >= ${settled}`)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return found !== undefined;
}
