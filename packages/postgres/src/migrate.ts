import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@parley/runtime/logger';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { classifyFault, isUnavailable } from './errors.ts';
import { requireEncoding, requireVersion } from './server.ts';

export type { Migration } from 'kysely/migration';

/** The migrations of a release by name, in the order of their names. */
export type Migrations = Record<string, Migration>;

/** The schema of a service compared with the migrations of this release. */
export interface SchemaState {
  /** The migrations that the schema lacks. */
  missing: string[];
  /** The migrations of the schema that this release does not have: a newer one has applied them. */
  unknown: string[];
}

interface SchemaOptions {
  /** The URL of the database for the role of the service. */
  url: string;
  logger: Logger;
}

/** How long to wait for a database that is still starting. */
const waitMsMax = 20_000;
const pauseMs = 200;

/** Compares the schema with the migrations, and changes nothing. Waits and throws like `migrate`. */
export function readSchemaState(options: SchemaOptions, migrations: Migrations): Promise<SchemaState> {
  return onServer(options, (db) => compare(db, migrations));
}

/**
 * Applies the missing migrations in one transaction under a lock: replicas may start at once, and a second run changes
 * nothing. Returns the state before. A schema of a newer release stays as it is. Waits up to 20 seconds for a database
 * that does not answer, then throws `unavailable`. Throws if the server is too old or the database is not in UTF-8. A
 * migration, and the wait for that of another replica, may take as long as it needs. In migrations, names are as SQL
 * has them.
 */
export function migrate(options: SchemaOptions, migrations: Migrations): Promise<SchemaState> {
  return onServer(options, async (db) => {
    const before = await compare(db, migrations);
    if (before.missing.length === 0) return before;
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    // A newer release that starts at the same time may have applied them.
    if (error && (await compare(db, migrations)).missing.length > 0) throw error;
    return before;
  });
}

/**
 * Makes the schema ready for a service that starts. Without `migrateOnStart`, throws an error that names the missing
 * migrations. Logs a warning if a newer release has migrated the schema: services work with the schema of the next
 * release (CONTRIBUTING.md).
 */
export async function prepareSchema(
  { migrateOnStart, ...options }: SchemaOptions & { migrateOnStart: boolean },
  migrations: Migrations,
): Promise<void> {
  const prepare = migrateOnStart ? migrate : readSchemaState;
  const { missing, unknown } = await prepare(options, migrations);
  if (unknown.length > 0) {
    options.logger.warn({ unknown: unknown.join(', ') }, 'a newer release has migrated the schema');
  }
  if (missing.length > 0 && !migrateOnStart) {
    throw new Error(`the schema lacks migrations, and MIGRATE_ON_START is false: ${missing.join(', ')}`);
  }
}

/** Does the work on the server of the URL, as soon as it answers. */
async function onServer<Result>(
  { url, logger }: SchemaOptions,
  work: (db: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
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
  const end = Date.now() + waitMsMax;
  for (;;) {
    try {
      await requireServer(db);
      return await work(db);
    } catch (cause) {
      const error = classifyFault(cause);
      if (!isUnavailable(error) || Date.now() > end) throw error;
      await setTimeout(pauseMs);
    }
  }
}

async function requireServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ number: number; encoding: string }>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`.execute(db);
  for (const { number, encoding } of rows) {
    requireVersion(number);
    requireEncoding(encoding);
  }
}

async function compare(db: Kysely<unknown>, migrations: Migrations): Promise<SchemaState> {
  const table = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db);
  const { rows } = table.rows[0]?.found
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  const applied = rows.map(({ name }) => name);
  return {
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
  };
}
