import { setTimeout } from 'node:timers/promises';
import { AppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { openDatabase } from './open.ts';
import { requireVersion } from './version.ts';

export type { Migration } from 'kysely/migration';

/** How long a service that starts beside its database waits for it. */
const waitMsMax = 20_000;
const pauseMs = 200;

/**
 * Brings the schema of the connection's role up to date, in one transaction under a lock: copies of a service may start
 * at once, and a second run changes nothing. Migrations run in the order of their names and only go forward. A database
 * that does not answer yet is waited for; after 20 seconds it throws `unavailable`. Throws when the server is too old.
 * A migration, and the wait for another copy's, may take as long as it needs.
 */
export async function migrate(
  { url, logger }: { url: string; logger: Logger },
  migrations: Record<string, Migration>,
): Promise<void> {
  await using database = openDatabase({ url, logger, connectionsMax: 1, statementTimeoutMs: 0 });
  const { db } = database;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const end = Date.now() + waitMsMax;
  for (;;) {
    try {
      await migrateNow(db, migrator);
      return;
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable';
      if (!isAway || Date.now() > end) throw error;
      await setTimeout(pauseMs);
    }
  }
}

async function migrateNow(db: Kysely<unknown>, migrator: Migrator): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select current_setting('server_version_num')::int as number`.execute(db);
  for (const { number } of rows) requireVersion(number);
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
