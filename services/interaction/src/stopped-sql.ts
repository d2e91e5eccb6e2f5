import { type Kysely, sql } from 'kysely';

// What migration `0004-last-step` and the code of today share.

/**
 * SQL for whether conversations of a definition never stall. Its text is compared, because a definition may contain
 * characters that Postgres cannot decode. A quote inside a text of the definition has a backslash, so only the key
 * matches.
 */
export function neverStalls(definition = sql`definition`) {
  return sql<boolean>`(${definition}::text ~ '"stalledAfterSeconds"\\s*:\\s*null')`;
}

export async function createStoppedIndex<Tables>(
  db: Kysely<Tables>,
  how: 'create index' | 'create index concurrently if not exists',
): Promise<void> {
  await sql`
    ${sql.raw(how)} interaction_stopped on interaction (workspace_id, bot_id, last_step, created_at, id)
      include (bot_version)
    where last_step is not null and not is_import
      and (status = 'Expired' or (status = 'InProgress' and stalls_at is null))`.execute(db);
}
