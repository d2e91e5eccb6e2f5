import { type Kysely, sql } from 'kysely';

// What migration `0008-test-interactions` and the code of today share.

/** Has few rows: test interactions are tried and deleted. */
export async function createTestIndex<Tables>(
  db: Kysely<Tables>,
  how: 'create index' | 'create index concurrently if not exists',
): Promise<void> {
  await sql`
    ${sql.raw(how)} interaction_test on interaction (workspace_id, id) where is_test`.execute(db);
}
