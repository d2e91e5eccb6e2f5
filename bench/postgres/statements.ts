import { openDatabase } from '@parley/postgres/connecting/open';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { context, type Tables, workspaceId } from './tables.ts';

/**
 * The ways to run statements: plain Kysely on a pool of ten, `openDatabase`, and `openDatabase` with a statement that
 * was built before. `nothing` is the cost of the loop itself.
 */
export const ways = ['nothing', 'plain Kysely', 'openDatabase', 'prepared'] as const;
export type Way = (typeof ways)[number];

/** The measured statements, by title. */
export const statements = ['point read', 'write of two rows'] as const;
export type Statement = (typeof statements)[number];

/** Runs a statement for an item, or for a new item of a customer of that name. */
export type Run = (id: string) => Promise<unknown>;

/** Opens the database in the way. */
export function runsOf(way: Way, url: string): Record<Statement, Run> {
  if (way === 'nothing') return { 'point read': async () => {}, 'write of two rows': async () => {} };
  const db = way === 'plain Kysely' ? plainKysely(url) : ourKysely(url);
  if (way === 'prepared') {
    const preparedRead = prepared((on: Db, key: Placeholders<Key>) => read(on, key));
    const preparedWrite = prepared((on: Db, key: Placeholders<Key>) => write(on, key));
    return {
      'point read': (id) => preparedRead(db, { workspaceId, id }),
      'write of two rows': (id) => preparedWrite(db, { workspaceId, id }),
    };
  }
  return {
    'point read': (id) => read(db, { workspaceId, id }).executeTakeFirstOrThrow(),
    'write of two rows': (id) => write(db, { workspaceId, id }).executeTakeFirstOrThrow(),
  };
}

type Db = Kysely<Tables>;

interface Key {
  workspaceId: string;
  id: string;
}

function plainKysely(url: string): Db {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins });
}

function ourKysely(url: string): Db {
  // A log line would be part of the report. A statement that fails ends the run anyway.
  const logger = createLogger('bench', 'silent');
  return openDatabase<Tables>({ url, logger }).db;
}

const columns = [
  'id',
  'workspaceId',
  'customerId',
  'botId',
  'status',
  'priority',
  'typeLabel',
  'createdAt',
  'expiresAt',
  'context',
  'version',
] as const;

function read(db: Db, key: Key | Placeholders<Key>) {
  return db
    .selectFrom('item')
    .select(columns)
    .where('workspaceId', '=', key.workspaceId)
    .where('id', '=', key.id);
}

function write(db: Db, key: Key | Placeholders<Key>) {
  return db
    .with('made', (query) =>
      query
        .insertInto('item')
        .values({ workspaceId: key.workspaceId, customerId: key.id, context, expiresAt: null })
        .returning(columns),
    )
    .with('noted', (query) =>
      query
        .insertInto('note')
        .columns(['itemId', 'workspaceId', 'body'])
        .expression((from) =>
          from
            .selectFrom('made')
            .select(['made.id as itemId', 'made.workspaceId as workspaceId', 'made.customerId as body']),
        ),
    )
    .selectFrom('made')
    .select(columns);
}
