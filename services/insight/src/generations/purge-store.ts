import { purgeDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

const pageMax = 5_000;
const replaced = acrossWorkspaces('figures that were replaced');
const byAge = acrossWorkspaces('a purge by age');

/** Deletes a page of each: replaced generations, and old deletions. Returns whether there may be more. */
export async function purge(db: Db): Promise<boolean> {
  const isReplaced = sql`generation < (select min(id) from generation)`;
  // Facts that were read before the deletion are long counted or given up.
  const isOld = sql`deleted_at < now() - interval '1 hour'`;
  const isMore = [
    await purgeDue(db, replaced, { table: 'contribution', isDue: isReplaced, limit: pageMax }),
    await purgeDue(db, replaced, { table: 'figure', isDue: isReplaced, limit: pageMax }),
    await purgeDue(db, byAge, { table: 'contribution', isDue: isOld, limit: pageMax }),
  ];
  return isMore.includes(true);
}
