import { isMissingPartition } from '@parley/postgres/errors';
import { acrossWorkspaces } from '@parley/postgres/scope';
import type { Logger } from '@parley/runtime/logger';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

const daysAhead = 7;

/** Creates the missing partitions of today and the coming days. */
export async function makePartitions(db: Db): Promise<void> {
  await sql`select make_partitions(${daysAhead})`.execute(db);
}

/**
 * Logs an error if the role cannot create or drop partitions, for which it needs the schema and the tables. Without new
 * ones, no attempt can be recorded after the days ahead.
 */
export async function reportMissingRights(db: Db, logger: Logger): Promise<void> {
  const { rows } = await sql<{ missing: string }>`
    ${acrossWorkspaces('the rights of the role')}
    select 'CREATE on the schema ' || current_schema() as missing
    where not has_schema_privilege(current_schema(), 'create')
    union all
    select 'ownership of the table ' || relname from pg_class
    where oid in ('finished_delivery'::regclass, 'attempt'::regclass) and not pg_has_role(relowner, 'usage')`.execute(
    db,
  );
  if (rows.length === 0) return;
  const missing = rows.map((row) => row.missing).join(', ');
  logger.error({ missing, daysAhead }, 'the database role lacks rights to create partitions');
}

/** Runs the work. If a partition is missing, as after the clock was set forward, creates it and retries. */
export async function withPartitions<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db);
    return work();
  }
}
