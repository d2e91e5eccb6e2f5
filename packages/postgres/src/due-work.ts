import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

export interface DueRows {
  table: string;
  isDue: RawBuilder<unknown>;
  /** Which come first. Without it, any. */
  orderBy?: RawBuilder<unknown>;
  /** How many at most: a constant. */
  limit: number;
}

/**
 * Returns SQL for the `ctid`s of due rows, for `where ctid = ...` in an update or delete. Locks the rows, and skips
 * rows that another transaction has locked. So replicas that work at the same time get different rows. The table must
 * not have partitions.
 */
export function lockDue({ table, isDue, orderBy, limit }: DueRows): RawBuilder<unknown> {
  const order = orderBy ? sql`order by ${orderBy}` : sql``;
  return sql`any(array(
      select ctid from ${sql.table(table)} where ${isDue} ${order} limit ${sql.lit(limit)} for update skip locked))`;
}

/**
 * Claims due rows and returns columns of them. `set` postpones their work, so that it is due again unless it is done in
 * time. `reason` is the mark of `acrossWorkspaces`.
 */
export async function claimDue<Row>(
  db: QueryExecutorProvider,
  reason: RawBuilder<unknown>,
  { set, returning, ...due }: DueRows & { set: RawBuilder<unknown>; returning: RawBuilder<unknown> },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    ${reason}
    update ${sql.table(due.table)} set ${set} where ctid = ${lockDue(due)} returning ${returning}`.execute(
    db,
  );
  return rows;
}

/** Deletes due rows. Returns whether there may be more. */
export async function purgeDue(
  db: QueryExecutorProvider,
  reason: RawBuilder<unknown>,
  due: DueRows,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${reason}
    delete from ${sql.table(due.table)} where ctid = ${lockDue(due)}`.execute(db);
  return numAffectedRows === BigInt(due.limit);
}
