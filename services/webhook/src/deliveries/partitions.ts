import { isMissingPartition } from '@parley/postgres/errors';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

const daysAhead = 7;

/** Creates the missing partitions of today and the coming days. */
export async function makePartitions(db: Kysely<Tables>): Promise<void> {
  await sql`select make_partitions(${daysAhead})`.execute(db);
}

/** Runs the work. Creates a partition that is missing, since the database's clock was set forward, and retries once. */
export async function withPartitions<Result>(
  db: Kysely<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db);
    return work();
  }
}
