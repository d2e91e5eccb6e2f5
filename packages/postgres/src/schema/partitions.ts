import type { Logger } from '@parley/runtime/telemetry/logger';
import { type Kysely, sql } from 'kysely';
import { isMissingPartition } from '../connecting/errors.ts';
import { acrossWorkspaces } from '../sql/across-workspaces.ts';
import { tableOf } from '../sql/arrays.ts';
import { reads } from '../sql/dialect.ts';

/** Partitioned tables, with the number of whole days that each is kept. Days are UTC. */
export type DaysKept = Readonly<Record<string, number>>;

const daysAhead = 7;

/**
 * Creates `make_partitions(parents, days_ahead)`, `old_partitions(parent, days_kept)` and `drop_partition(name)`, for
 * tables that are partitioned by a day (UTC). Attaching blocks no reader or writer. A drop gives up when it has to
 * wait.
 */
export async function createPartitionFunctions<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create function make_partition(parent text, day date) returns void language plpgsql as $body$
    declare
      name text := parent || to_char(day, '_YYYYMMDD');
    begin
      if to_regclass(name) is null then
        execute format('create table %I (like %I including defaults including constraints)', name, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
          parent, name, day || ' 00:00+00', (day + 1) || ' 00:00+00');
      end if;
    end $body$`.execute(db);
  await sql`
    create function make_partitions(parents text[], days_ahead int) returns void
    language plpgsql set lock_timeout = '2s' as $body$
    declare
      today date := (now() at time zone 'utc')::date;
    begin
      perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.make_partitions', 0));
      perform make_partition(parent, today + ahead)
      from unnest(parents) as parent, generate_series(0, days_ahead) as ahead;
    end $body$`.execute(db);
  await sql`
    create function old_partitions(parent text, days_kept int) returns table (name text) language sql stable as $body$
      select child.relname::text from pg_inherits join pg_class child on child.oid = inhrelid
      where inhparent = parent::regclass
        and child.relname < parent || to_char((now() at time zone 'utc')::date - days_kept, '_YYYYMMDD')
      order by 1
    $body$`.execute(db);
  // Another replica may have dropped it. A drop that waits for its lock blocks all writers of the table.
  await sql`
    create function drop_partition(name text) returns void language plpgsql set lock_timeout = '500ms' as $body$
    begin
      execute format('drop table if exists %I', name);
    end $body$`.execute(db);
}

/**
 * Replaces `make_partition(parent, day)` by one that can also partition by the day in a UUIDv7, for a later migration
 * than `createPartitionFunctions`. Such a table has a partition `<parent>_other` for all other ids. A day of which that
 * has rows gets no partition.
 */
export async function createIdPartitions<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create function first_id_of(day date) returns uuid language sql immutable
    return (lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`.execute(
    db,
  );
  await sql`
    create or replace function make_partition(parent text, day date) returns void language plpgsql as $body$
    declare
      name text := parent || to_char(day, '_YYYYMMDD');
      id_column text := (
        select attname from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
        where partrelid = parent::regclass and atttypid = 'uuid'::regtype);
      has_rows boolean := false;
    begin
      if to_regclass(name) is not null then return; end if;
      if id_column is not null then
        execute format('select exists (select from %I where %I >= %L and %I < %L)',
          parent || '_other', id_column, first_id_of(day), id_column, first_id_of(day + 1)) into has_rows;
      end if;
      if has_rows then return; end if;
      execute format('create table %I (like %I including defaults including constraints)', name, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name,
        case when id_column is null then day || ' 00:00+00' else first_id_of(day)::text end,
        case when id_column is null then (day + 1) || ' 00:00+00' else first_id_of(day + 1)::text end);
    end $body$`.execute(db);
}

/** Creates the missing partitions of today and the coming days. */
export async function makePartitions<Tables>(db: Kysely<Tables>, parents: readonly string[]): Promise<void> {
  await sql`select make_partitions(${parents}::text[], ${daysAhead})`.execute(db);
}

/** Creates partitions and drops old ones. Rejects with an `AggregateError` after the rest when some are in use. */
export async function maintainPartitions<Tables>(db: Kysely<Tables>, daysKept: DaysKept): Promise<void> {
  await makePartitions(db, Object.keys(daysKept));
  await dropOldPartitions(db, daysKept);
}

/** Drops old partitions, unless another replica does. Rejects with an `AggregateError` when some are in use. */
export async function dropOldPartitions<Tables>(db: Kysely<Tables>, daysKept: DaysKept): Promise<void> {
  await db.transaction().execute(async (lock) => {
    // Postgres ends a drop with an internal error when another session drops the same partition. This transaction is
    // idle until the last drop: longer than the limit of five seconds.
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.drop_partitions', 0)) as is_mine,
        set_config('idle_in_transaction_session_timeout', '10min', true)`.execute(lock);
    if (rows[0]?.isMine === true) await dropEach(db, daysKept);
  });
}

async function dropEach<Tables>(db: Kysely<Tables>, daysKept: DaysKept): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from ${tableOf('kept', Object.entries(daysKept), {
      parent: ['text', ([parent]) => parent],
      days: ['int', ([, days]) => days],
    })},
      old_partitions(kept.parent, kept.days)`.execute(reads(db));
  const failures: unknown[] = [];
  // One after another, since each may wait for a lock.
  for (const { name } of rows) {
    await sql`select drop_partition(${name})`.execute(db).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'old partitions could not be dropped');
}

/** Runs the work. If a partition is missing, as after the clock was set forward, creates it and retries. */
export async function withPartitions<Tables, Result>(
  db: Kysely<Tables>,
  parents: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db, parents);
    return work();
  }
}

/**
 * Logs an error if the role cannot create or drop partitions, for which it needs the schema and the tables. Without new
 * ones, no row can be added after the days ahead.
 */
export async function reportMissingRights<Tables>(
  db: Kysely<Tables>,
  parents: readonly string[],
  logger: Logger,
): Promise<void> {
  const { rows } = await sql<{ missing: string }>`
    ${acrossWorkspaces('the rights of the role')}
    select 'CREATE on the schema ' || current_schema() as missing
    where not has_schema_privilege(current_schema(), 'create')
    union all
    select 'ownership of the table ' || relname from pg_class
    where oid = any(${parents}::text[]::regclass[]) and not pg_has_role(relowner, 'usage')`.execute(
    reads(db),
  );
  if (rows.length === 0) return;
  const missing = rows.map((row) => row.missing).join(', ');
  logger.error({ missing, daysAhead }, 'the database role lacks rights to create partitions');
}
