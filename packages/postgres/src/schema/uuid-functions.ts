import { type Kysely, sql } from 'kysely';

/**
 * Creates `uuidv7()` (PostgreSQL 18) and `uuid_extract_timestamp()` (17) in the schema of the service if the server
 * lacks them. SQL finds the server's own functions first, also after an upgrade of the server. For migrations. See
 * docs/decisions/0023-postgres-15.md.
 */
export async function createUuidFunctions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ lacks_uuidv7: boolean; lacks_extract: boolean }>`
    select to_regprocedure('pg_catalog.uuidv7()') is null as lacks_uuidv7,
      to_regprocedure('pg_catalog.uuid_extract_timestamp(uuid)') is null as lacks_extract`.execute(db);
  for (const { lacks_uuidv7, lacks_extract } of rows) {
    if (lacks_uuidv7) await createUuidv7(db);
    if (lacks_extract) await createExtractTimestamp(db);
  }
}

/**
 * Like the server's own, the ids of a session ascend, whatever its clock does: a setting of the session has the time of
 * the last one. 48 bits of milliseconds and 12 bits of their fraction (RFC 9562, section 6.2, method 3).
 */
async function createUuidv7(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function uuidv7() returns uuid language plpgsql as $body$
    declare
      latest bigint := nullif(current_setting('parley.latest_uuid_us', true), '');
      us bigint := greatest(extract(epoch from clock_timestamp()) * 1000000, latest + 1);
    begin
      perform set_config('parley.latest_uuid_us', us::text, false);
      return lpad(to_hex(us / 1000), 12, '0') || to_hex(x'7000'::int + us % 1000 * 4096 / 1000)
        || substr(gen_random_uuid()::text, 20);
    end $body$`.execute(db);
}

/** Immutable and inlined, so that the planner skips partitions by it. Null for other versions than 7. */
async function createExtractTimestamp(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function uuid_extract_timestamp(id uuid) returns timestamptz
    language sql immutable parallel safe as $body$
      select case substr(id::text, 15, 1) when '7' then
        to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0::float8) end
    $body$`.execute(db);
}
