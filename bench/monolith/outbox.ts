import { setInterval } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { InteractionTable, Tables } from './database.ts';

export type RaiseEvent = (
  db: Kysely<Tables>,
  row: Pick<InteractionTable, 'id' | 'workspace_id' | 'customer_id'>,
  type: 'created' | 'started' | 'completed',
) => Promise<void>;

const pollMs = 100;
const pageMax = 500;

export const insertEvent: RaiseEvent = async (db, row, type) => {
  await db
    .insertInto('event_log')
    .values({
      id: sql<string>`uuidv7()`,
      type: `parley.interaction.${type}.v1`,
      workspace_id: row.workspace_id,
      about: row.id,
      payload: Buffer.from(JSON.stringify({ interactionId: row.id, customerId: row.customer_id })),
    })
    .execute();
};

/** Reads the new events and marks them as sent, as a poller does that sends them. Ends with the process. */
export function startPoller(db: Kysely<Tables>): void {
  let sent = 0;
  const takePage = async (): Promise<number> => {
    const { rows } = await sql`
      with page as (
        select raised_at, id from event_log where position is null order by raised_at, id limit ${pageMax}
        for update skip locked
      )
      update event_log set position = ${sent + 1} from page
      where event_log.raised_at = page.raised_at and event_log.id = page.id
      returning event_log.id, event_log.payload`.execute(db);
    sent += rows.length;
    return rows.length;
  };
  void (async () => {
    for await (const _ of setInterval(pollMs)) while ((await takePage()) === pageMax);
  })();
}
