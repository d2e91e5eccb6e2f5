import { type RawBuilder, sql } from 'kysely';

/**
 * Returns an expression for the name of the store that a table is in. It differs wherever transactions may have other
 * numbers: on another server, after a failover or a recovery to a point in time, and in a table that was restored from
 * a dump. Numbers of transactions, and places in their order, belong to one store. 16 hexadecimal digits.
 */
export function storeName(table: string): RawBuilder<string> {
  return sql<string>`substr(md5(concat_ws(' ', (pg_control_system()).system_identifier,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), ${sql.lit(table)}::regclass::oid)), 1, 16)`;
}
