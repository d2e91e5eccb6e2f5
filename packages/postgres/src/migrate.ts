import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@parley/runtime/logger';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { classifyFault, isUnavailable } from './errors.ts';
import { requireEncoding, requireVersion } from './server.ts';

export type { Migration } from 'kysely/migration';

/** How long to wait for a database that is still starting. */
const waitMsMax = 20_000;
const pauseMs = 200;

/**
 * Brings the schema of the connection's role up to date, in one transaction under a lock: copies of a service may start
 * at once, and a second run changes nothing. Migrations run in the order of their names and only go forward. A database
 * that does not answer yet is waited for; after 20 seconds it throws `unavailable`. Throws when the server is too old,
 * or
 * the database not in UTF-8. A migration, and the wait for another copy's, may take as long as it needs. In migrations,
 * names are as SQL has them.
 */
export async function migrate(
  { url, logger }: { url: string; logger: Logger },
  migrations: Record<string, Migration>,
): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'migration',
    max: 1,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  // Without a listener, the event ends the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'database connection lost'));
  await using db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const end = Date.now() + waitMsMax;
  for (;;) {
    try {
      await migrateNow(db, migrator);
      return;
    } catch (cause) {
      const error = classifyFault(cause);
      if (!isUnavailable(error) || Date.now() > end) throw error;
      await setTimeout(pauseMs);
    }
  }
}

async function migrateNow(db: Kysely<unknown>, migrator: Migrator): Promise<void> {
  const { rows } = await sql<{ number: number; encoding: string }>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`.execute(db);
  for (const { number, encoding } of rows) {
    requireVersion(number);
    requireEncoding(encoding);
  }
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
