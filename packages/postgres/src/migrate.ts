import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

export type { Migration } from 'kysely/migration';

/**
 * Brings the schema of the connection's role up to date, in one transaction under a lock: copies of a service may start
 * at once, and a second run changes nothing. Migrations run in the order of their names and only go forward.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
