import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * `make_partitions(days_ahead)`, `old_partitions(days_kept)` and `drop_partition(name)`, for transactions of their own: a
 * drop that has to wait for a lock gives up, and undoes nothing but itself. Days are those of UTC. They take the place
 * of `tend_partitions`: a copy of the version before has what it made, a week ahead.
 */
export const partitions: Migration = {
  up: async (db) => {
    await sql`
      create function make_partitions(days_ahead int) returns void language plpgsql set lock_timeout = '2s' as $body$
      declare
        today date := (now() at time zone 'utc')::date;
      begin
        perform pg_advisory_xact_lock(hashtextextended('make_partitions', 0));
        perform make_partition(parent, today + ahead)
        from unnest(array['finished_delivery', 'attempt']) as parent, generate_series(0, days_ahead) as ahead;
      end $body$`.execute(db);
    await sql`
      create function old_partitions(days_kept int) returns table (name text) language sql stable as $body$
        select child.relname::text
        from unnest(array['finished_delivery', 'attempt']) as parent
        join pg_inherits on inhparent = parent::regclass
        join pg_class child on child.oid = inhrelid
        where child.relname < parent || to_char((now() at time zone 'utc')::date - days_kept, '_YYYYMMDD')
        order by 1
      $body$`.execute(db);
    // Another copy may have dropped it meanwhile. Who waits for a partition here keeps all from writing results.
    await sql`
      create function drop_partition(name text) returns void language plpgsql set lock_timeout = '500ms' as $body$
      begin
        execute format('drop table if exists %I', name);
      end $body$`.execute(db);
    await sql`drop function tend_partitions`.execute(db);
  },
};
