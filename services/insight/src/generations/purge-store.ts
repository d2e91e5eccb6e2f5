import { acrossWorkspaces } from '@parley/postgres/sql/scope';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

const pageMax = 5_000;
const replaced = acrossWorkspaces('figures that were replaced');
const byAge = acrossWorkspaces('a purge by age');

/** Deletes a page of each: replaced generations, and old deletions. Returns whether there may be more. */
export async function purge(db: Db): Promise<boolean> {
  const deleted = [
    await sql`
      ${replaced}
      delete from contribution where ctid = any(array(
        select ctid from contribution where generation < (select min(id) from generation) limit ${pageMax}
        for update skip locked))`.execute(db),
    await sql`
      ${replaced}
      delete from figure where ctid = any(array(
        select ctid from figure where generation < (select min(id) from generation) limit ${pageMax}
        for update skip locked))`.execute(db),
    // Facts that were read before the deletion are long counted or given up.
    await sql`
      ${byAge}
      delete from contribution where ctid = any(array(
        select ctid from contribution where deleted_at < now() - interval '1 hour' limit ${pageMax}
        for update skip locked))`.execute(db),
  ];
  return deleted.some(({ numAffectedRows }) => numAffectedRows === BigInt(pageMax));
}
