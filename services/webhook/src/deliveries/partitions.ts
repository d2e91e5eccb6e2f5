import { isMissingPartition } from '@parley/postgres/errors';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

const daysAhead = 7;

/** Creates the missing partitions of today and the coming days. */
export async function makePartitions(db: Db): Promise<void> {
  await sql`select make_partitions(${daysAhead})`.execute(db);
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
