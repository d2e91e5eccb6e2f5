import { isMissingPartition } from '@parley/postgres/errors';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

const daysAhead = 7;

/** Creates the missing partitions of today and the coming days. */
export async function makePartitions(db: Kysely<Tables>): Promise<void> {
  await sql`select make_partitions(${daysAhead})`.execute(db);
}

/** Runs the work. If a partition is missing, as after the clock was set forward, creates it and retries. */
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
