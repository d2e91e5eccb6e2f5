import { onServer } from '@parley/postgres/schema/migrate';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { reads } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import { createStoppedIndex } from '../stopped-sql.ts';
import type { Tables } from '../schema.ts';

interface Options {
  db: Kysely<Tables>;
  /** The database without a pooler, as for migrations. */
  url: string;
  logger: Logger;
}

const intervalMs = 60 * 60_000;
const rowsMax = 200;
const ofAll = acrossWorkspaces('interactions of all workspaces from before a migration');

/**
 * Completes migration `0004-last-step` in the background: fills the column of former interactions in small batches, and
 * then builds the index without making writes wait. The valid index says that all is done. Replicas may do it at once.
 */
export function keepStoppedIndex({ db, url, logger }: Options): Schedule {
  return repeat('index stopped interactions', intervalMs, logger, async (signal) => {
    if ((await readIndex(db)) === 'valid') return;
    await onServer<void, Tables>(url, logger, (own) => complete(own, db, signal));
    logger.info('the interactions that have stopped are indexed');
  });
}

async function complete(own: Kysely<Tables>, db: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null && !signal.aborted) after = await fillPage(own, after);
  // Else a build that was cut short would stay, and slow down writes for nothing.
  if ((await readIndex(own)) === 'invalid') {
    await sql`drop index concurrently if exists interaction_stopped`.execute(own);
  }
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
  const cancel = (): void => {
    sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {});
  };
  signal.addEventListener('abort', cancel);
  try {
    if (!signal.aborted) await createStoppedIndex(own, 'create index concurrently if not exists');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
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
async function readIndex(db: Kysely<Tables>): Promise<'missing' | 'invalid' | 'valid'> {
  const { rows } = await sql<{ isUsable: boolean }>`
    ${ofAll}
    select indisvalid or exists (
      select from pg_stat_progress_create_index as progress where progress.index_relid = indexrelid) as is_usable
    from pg_index where indexrelid = to_regclass('interaction_stopped')`.execute(reads(db));
  const [index] = rows;
  if (!index) return 'missing';
  return index.isUsable ? 'valid' : 'invalid';
}
