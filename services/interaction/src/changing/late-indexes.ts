import { onServer } from '@parley/postgres/schema/migrate';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { reads } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import { NIL } from 'uuid';
import type { Tables } from '../schema.ts';
import { createDueIndex, replacedDueIndex } from '../due-sql.ts';
import { createStoppedIndex } from '../stopped-sql.ts';
import { createTestIndex } from '../test-sql.ts';

interface Options {
  db: Kysely<Tables>;
  /** The database without a pooler, as for migrations. */
  url: string;
  logger: Logger;
}

const intervalMs = 60 * 60_000;
const rowsMax = 200;
const ofAll = acrossWorkspaces('interactions of all workspaces from before a migration');

interface LateIndex {
  name: string;
  create: (db: Kysely<Tables>, how: 'create index concurrently if not exists') => Promise<void>;
  /** Fills a page of rows before the index is built. Returns the last id; null after the last page. */
  fillPage?: (db: Kysely<Tables>, after: string) => Promise<string | null>;
  /** The name of the index that is dropped then. */
  replaces?: string;
}

/**
 * Completes migration `0004-last-step` in the background: fills the column of former interactions in small batches, and
 * then builds the index without making writes wait. The valid index says that all is done. Replicas may do it at once.
 */
export function keepStoppedIndex(options: Options): Schedule {
  return keepIndex(options, { name: 'interaction_stopped', create: createStoppedIndex, fillPage });
}

/** Completes migration `0008-test-interactions` in the same way. */
export function keepTestIndex(options: Options): Schedule {
  return keepIndex(options, { name: 'interaction_test', create: createTestIndex });
}

/** Completes migration `0013-due-index` in the same way, and drops the index that it replaces. */
export function keepDueIndex(options: Options): Schedule {
  return keepIndex(options, { name: 'interaction_due', create: createDueIndex, replaces: replacedDueIndex });
}

function keepIndex({ db, url, logger }: Options, index: LateIndex): Schedule {
  return repeat(`build index ${index.name}`, intervalMs, logger, async (signal) => {
    if (await isComplete(db, index)) return;
    await onServer<void, Tables>(url, logger, (own) => complete(own, db, index, signal));
    logger.info({ index: index.name }, 'an index is built');
  });
}

async function complete(
  own: Kysely<Tables>,
  db: Kysely<Tables>,
  index: LateIndex,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = index.fillPage ? NIL : null;
  while (after !== null && index.fillPage && !signal.aborted) after = await index.fillPage(own, after);
  // Else a build that was cut short would stay, and slow down writes for nothing.
  if ((await readIndex(own, index)) === 'invalid') {
    await sql`drop index concurrently if exists ${sql.table(index.name)}`.execute(own);
  }
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
  const cancel = (): void => {
    sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {});
  };
  signal.addEventListener('abort', cancel);
  try {
    if (!signal.aborted) await index.create(own, 'create index concurrently if not exists');
    if (!signal.aborted && index.replaces !== undefined)
      await sql`drop index concurrently if exists ${sql.table(index.replaces)}`.execute(own);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function isComplete(db: Kysely<Tables>, { name, replaces }: LateIndex): Promise<boolean> {
  if ((await readIndex(db, { name })) !== 'valid') return false;
  return replaces === undefined || (await readIndex(db, { name: replaces })) === 'missing';
}

/** Fills a page of rows, whose trigger knows the value. Returns the last id; null after the last page. */
async function fillPage(db: Kysely<Tables>, after: string): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    ${ofAll}
    with page as materialized (
      select id from interaction where id > ${after}::uuid order by id limit ${rowsMax}::int
    ), locked as materialized (
      select id from interaction
      where id = any(array(select id from page)) and last_step is null and state is not null
        and (status = 'Expired' or (status = 'InProgress' and stalls_at is null))
      order by id for no key update
    ), filled as (
      update interaction set state = state where id = any(array(select id from locked))
    )
    select id as last from page order by id desc limit 1`.execute(db);
  return rows[0]?.last ?? null;
}

/** Returns the state of the index. One that is being built counts as valid: its builder completes it. */
async function readIndex(
  db: Kysely<Tables>,
  { name }: Pick<LateIndex, 'name'>,
): Promise<'missing' | 'invalid' | 'valid'> {
  const { rows } = await sql<{ isUsable: boolean }>`
    ${ofAll}
    select indisvalid or exists (
      select from pg_stat_progress_create_index as progress where progress.index_relid = indexrelid) as is_usable
    from pg_index where indexrelid = to_regclass(${name})`.execute(reads(db));
  const [index] = rows;
  if (!index) return 'missing';
  return index.isUsable ? 'valid' : 'invalid';
}
