import { type Kysely, sql } from 'kysely';

// What migration `0013-due-index` and the code of today share.

/** The index that `interaction_due` replaces. */
export const replacedDueIndex = 'interaction_expires_at_idx';

/** Finds the oldest due interactions, and the due ones of a workspace without reading the rows of others. */
export async function createDueIndex<Tables>(
  db: Kysely<Tables>,
  how: 'create index' | 'create index concurrently if not exists',
): Promise<void> {
  await sql`
    ${sql.raw(how)} interaction_due on interaction (expires_at, workspace_id)
    where expires_at is not null and status in ('Draft', 'Pending', 'InProgress')`.execute(db);
}
