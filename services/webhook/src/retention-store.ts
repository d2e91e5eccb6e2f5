import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** How long finished deliveries, attempts and the bodies of events are kept. */
const daysKept = 30;
const daysAhead = 7;
/** An event can come again a day after it was last sent: its id stays for longer (docs/decisions/0003). */
const eventDaysKept = daysKept + 2;
const eventsMax = 500;

/** Makes the partitions of the coming days and drops those of before; one copy at a time. */
export async function tendPartitions(db: Kysely<Tables>): Promise<void> {
  await sql`select tend_partitions(${daysAhead}, ${daysKept})`.execute(db);
}

/** Deletes a page of events that came long ago and are not open. True when there may be more. */
export async function purgeEvents(db: Kysely<Tables>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from event where id = any(array(
      select id from event
      where received_at < now() - ${eventDaysKept} * interval '1 day'
        and not exists (select from open_delivery where open_delivery.event_id = event.id)
      order by received_at limit ${eventsMax} for update skip locked))`.execute(db);
  return numAffectedRows === BigInt(eventsMax);
}
