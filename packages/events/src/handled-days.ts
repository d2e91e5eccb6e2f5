import { createIdPartitions, maintainPartitions, makePartitions } from '@parley/postgres/schema/partitions';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';

const handledTable = 'handled_event';
/** Longer than any log keeps events. */
const daysKeptMax = 36_500;
/** The log drops whole days, and clocks differ. */
const marginDays = 2;

/**
 * Creates the table of handled events, partitioned by the day (UTC) in the UUIDv7 of an event. Ids of other days are in
 * one more partition. For a service's migration, after `createInbox` and `createPartitionFunctions`.
 *
 * The table `inbox` has what was handled before. Replicas of the previous release still insert into it: the trigger
 * makes both releases take an event once.
 */
export async function createHandledDays<Tables>(db: Kysely<Tables>): Promise<void> {
  await createIdPartitions(db);
  await sql`
    create table handled_event (
      durable text not null,
      event_id uuid not null,
      primary key (durable, event_id)
    ) partition by range (event_id)`.execute(db);
  await sql`create table handled_event_other partition of handled_event default`.execute(db);
  await sql`select make_partition('handled_event', (now() at time zone 'utc')::date - 1)`.execute(db);
  await makePartitions(db, [handledTable]);
  await sql`
    create function take_once() returns trigger language plpgsql as $body$
    begin
      insert into handled_event values (new.durable, new.event_id) on conflict do nothing;
      return case when found then new end;
    end $body$`.execute(db);
  await sql`
    create trigger take_once before insert on inbox for each row execute function take_once()`.execute(db);
}

/**
 * Creates the partitions of the coming days, and drops the partitions of days from which no log keeps events for any
 * consumer of the database. Rejects like `maintainPartitions`.
 */
export async function keepHandledDays<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ days: number }>`
    ${acrossWorkspaces('a consumer handles the events of all workspaces')}
    select (now() at time zone 'utc')::date - (min(kept_since) at time zone 'utc')::date as days
    from inbox_cursor having bool_and(kept_since is not null)`.execute(reads(db));
  const days = rows[0] ? rows[0].days + marginDays : daysKeptMax;
  await maintainPartitions(db, { [handledTable]: days });
}
