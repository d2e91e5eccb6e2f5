import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { clientConfig, withClient } from '../connecting/client.ts';
import { classifyFault, isUnavailable } from '../connecting/errors.ts';
import { requireServer } from '../connecting/server.ts';
import { setupStatement } from '../connecting/setup.ts';

export type { Migration } from 'kysely/migration';

/** The migrations of a release by name, in the order of their names. */
export type Migrations = Record<string, Migration>;

export interface SchemaState {
  missing: string[];
  /** The migrations of the schema that this release does not have: a newer one has applied them. */
  unknown: string[];
}

interface SchemaOptions {
  url: string;
  /** Where migrations run instead: the same database and role without the pooler of `url`. */
  migrationUrl?: string | undefined;
  logger: Logger;
}

const recordTable = 'kysely_migration';

/** How long to wait for a database that is still starting. */
const waitMsMax = 20_000;
const pauseMs = 200;

/** Compares the schema with the migrations, and changes nothing. Waits and throws like `migrate`. */
export function readSchemaState(
  { url, logger }: SchemaOptions,
  migrations: Migrations,
): Promise<SchemaState> {
  return onServer(url, logger, (db) => compare(db, migrations));
}

/**
 * Applies the missing migrations in one transaction, under a lock: replicas may start at once, and a second run changes
 * nothing. Returns the state before. A schema of a newer release stays as it is. Waits up to 20 seconds for a database
 * that does not answer, then throws `unavailable`. Throws as `requireServer` does. A migration, and the wait for
 * another replica's, may take as long as it needs. In migrations, names are as SQL has them.
 */
export function migrate(
  { url, migrationUrl = url, logger }: SchemaOptions,
  migrations: Migrations,
): Promise<SchemaState> {
  return onServer(migrationUrl, logger, async (db) => {
    const before = await compare(db, migrations);
    if (before.missing.length === 0) return before;
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
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
  const migrated = migrateOnStart ? await migrate(options, migrations) : undefined;
  // `url` may lead through a pooler, or to another database by mistake.
  const isSeparate = !migrated || options.migrationUrl !== undefined;
  const { missing, unknown } = isSeparate
    ? await readSchemaState(options, migrations)
    : { ...migrated, missing: [] };
  if (unknown.length > 0) {
    options.logger.warn({ unknown: unknown.join(', ') }, 'a newer release has migrated the schema');
  }
  if (missing.length > 0) {
    const why = migrateOnStart ? 'MIGRATION_DATABASE_URL names another one' : 'MIGRATE_ON_START is false';
    throw new Error(`the schema lacks migrations, and ${why}: ${missing.join(', ')}`);
  }
}

/**
 * Does the work on the server of the URL, as soon as it answers, on one connection without limits of time. Throws as
 * `migrate`.
 */
export async function onServer<Result, Tables = unknown>(
  url: string,
  logger: Logger,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ ...clientConfig(url), application_name: 'migration', max: 1 });
  // Without a listener, the event ends the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'database connection lost'));
  const begin = CompiledQuery.raw(setupStatement(noTimeLimits));
  const dialect = new PostgresDialect({
    pool,
    onCreateConnection: async (connection) => void (await connection.executeQuery(begin)),
  });
  await using db = new Kysely<Tables>({ dialect });
  const end = Date.now() + waitMsMax;
  for (let isWaiting = false; ; ) {
    try {
      await withClient(url, (client) => requireServer(client, url));
      if (isWaiting) logger.info('the database answers');
      return await work(db);
    } catch (cause) {
      const error = classifyFault(cause);
      if (!isUnavailable(error) || Date.now() > end) throw error;
      if (!isWaiting) logger.warn({ err: error, seconds: waitMsMax / 1_000 }, 'waiting for the database');
      isWaiting = true;
      await setTimeout(pauseMs);
    }
  }
}

/** A migration may take as long as it needs, whatever the role's limits. */
const noTimeLimits = { statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' };

async function compare(db: Kysely<unknown>, migrations: Migrations): Promise<SchemaState> {
  const { rows: found } = await sql`select from pg_class where oid = to_regclass(${recordTable})`.execute(db);
  const { rows } =
    found.length === 0
      ? { rows: [] }
      : await sql<{ name: string }>`select name from ${sql.id(recordTable)} order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  return {
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
  };
}
