import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import type { ListedInstant, Tables } from '../schema.ts';
import { countedColumns, countFilters, type Filters, filtered, type Period } from './filters.ts';

/**
 * Returns the exact number of interactions that match. Status, priority and bot, and the whole days of one period have
 * stored counts. Everything else is counted over an index.
 */
export async function countInteractions(db: Kysely<Tables>, filters: Filters): Promise<number> {
  if (countFilters(filters) === 0) {
    const [all] = await readFewCounts(db, filters);
    if (all && all.cells < cellsMax) return all.total;
  }
  const { total } = await totalQuery(scans(db), filters).executeTakeFirstOrThrow();
  return total;
}

/** A workspace with few bots has fewer stored counts. To add up so many is a small read. */
const cellsMax = 2_000;

const readFewCounts = prepared((db: Kysely<Tables>, of: Placeholders<{ workspaceId: string }>) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('interactionCount')
        .select('n')
        .where('workspaceId', '=', of.workspaceId)
        .limit(sql.lit(cellsMax))
        .as('cell'),
    )
    .select([sumOfCounts, sql<number>`count(*)::int`.as('cells')]),
);

function totalQuery(db: Kysely<Tables>, filters: Filters) {
  if (filters.isTest !== false || filters.stop) return countQuery(db, filters);
  // There are few tests, and an index has them. All together may have a stored count.
  const all = countQuery(db, { ...filters, isTest: undefined });
  const tests = countQuery(db, { ...filters, isTest: true });
  return db.selectNoFrom(sql<number>`(${all}) - (${tests})`.as('total'));
}

function countQuery(db: Kysely<Tables>, filters: Filters) {
  const { workspaceId, periods, evaluation, customerId, stop, isTest } = filters;
  const isPlain =
    customerId === undefined && !stop && periods.size === 0 && evaluation.length === 0 && !isTest;
  if (isPlain) {
    return db
      .selectFrom('interactionCount')
      .select(sumOfCounts)
      .where(({ and }) => and(countedColumns(filters)));
  }
  const isOnly = countFilters(filters) === 1;
  const [period] = periods;
  if (isOnly && period) return countPeriod(db, workspaceId, ...period);
  return filtered(db, filters).clearSelect().select(sql<number>`count(*)`.as('total'));
}

const sumOfCounts = sql<number>`coalesce(sum(n), 0)::int8`.as('total');

const dayMs = 86_400_000;

/** Counts a period: its whole days in UTC from the stored counts, the rest at its ends over the index. */
function countPeriod(db: Kysely<Tables>, workspaceId: string, instant: ListedInstant, { from, to }: Period) {
  const firstDay = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const endDay = to && new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  const count = (part: Period) =>
    filtered(db, { workspaceId, periods: new Map([[instant, part]]), evaluation: [] })
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'));
  if (firstDay && endDay && firstDay >= endDay) return count({ from, to });
  const ends = [
    ...(from && firstDay && from < firstDay ? [count({ from, to: firstDay })] : []),
    ...(to && endDay && endDay < to ? [count({ from: endDay, to })] : []),
  ];
  return db
    .selectFrom('interactionDayCount')
    .select(
      sql<number>`(${sql.join([sql`coalesce(sum(n), 0)::int8`, ...ends.map((end) => sql`(${end})`)], sql` + `)})`.as(
        'total',
      ),
    )
    .where('workspaceId', '=', workspaceId)
    .where('instant', '=', instant)
    .where(sql<boolean>`(${dayOf(firstDay)}::date is null or day >= ${dayOf(firstDay)}::date)`)
    .where(sql<boolean>`(${dayOf(endDay)}::date is null or day < ${dayOf(endDay)}::date)`);
}

/** Without the `+` of a year after 9999: the whole days of a period that begins on the last one begin there. */
function dayOf(instant: Date | undefined): string | null {
  return instant?.toISOString().replace(/T.*|^\+0/g, '') ?? null;
}
