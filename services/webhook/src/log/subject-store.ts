import type { CustomerDelivery, ListCustomerDeliveriesResponse } from '@parley/contracts/webhook/v1/delivery';
import { scans } from '@parley/postgres/sql/dialect';
import { positionsOf, uuidPart } from '@parley/runtime/cursor';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema.ts';

interface Customer {
  workspaceId: string;
  customerId: string;
}

const eventsMax = 100;
/** Deliveries of a page: an event has one for each webhook. */
const deliveriesMax = 500;

const first = '00000000-0000-0000-0000-000000000000';
const beginning = { eventId: first, id: first };
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const subjectPositions = positionsOf<{ eventId: string; id: string }>({
  eventId: uuidPart,
  id: uuidPart,
});

/** A replica of release 0.2.0, which has returned the page before, has written a dot. */
const positionText = (after = ''): string => after.replace('.', '_');

/** The oldest event first, with the place of the next page. */
export async function pageOfSubject(
  db: Db,
  customer: Customer,
  after: string | undefined,
): Promise<ListCustomerDeliveriesResponse> {
  const { eventId: afterEvent, id: afterDelivery } =
    subjectPositions.read(positionText(after), '/after') ?? beginning;
  const { rows: events } = await sql<{ id: string }>`
    select id from event where ${isAbout(customer)} and id >= ${afterEvent} order by id
    limit ${sql.lit(eventsMax)}`.execute(scans(db));
  const ids = events.map(({ id }) => id);
  const deliveries = await readDeliveries(db, customer.workspaceId, ids, [afterEvent, afterDelivery]);
  const [end, lastEvent] = [deliveries.at(-1), ids.at(-1)];
  if (end && deliveries.length === deliveriesMax)
    return { deliveries, nextAfter: subjectPositions.write(end) };
  return lastEvent !== undefined && ids.length === eventsMax
    ? { deliveries, nextAfter: subjectPositions.write({ eventId: lastEvent, id: last }) }
    : { deliveries };
}

/** Returns a text that changes with every delivery of the customer's events. */
export async function digestOfSubject(db: Db, customer: Customer): Promise<string> {
  const { workspaceId } = customer;
  const ids = sql`array(select id from event where ${isAbout(customer)})`;
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(concat_ws('.', found.id, state, attempts, url), ',' order by found.id), '')) as digest
    from (${deliveriesOf(workspaceId, ids)}) as found
    join webhook on webhook.id = found.webhook_id and webhook.workspace_id = ${workspaceId}`.execute(
    scans(db),
  );
  return rows[0]?.digest ?? '';
}

async function readDeliveries(
  db: Db,
  workspaceId: string,
  eventIds: readonly string[],
  [afterEvent, afterDelivery]: [string, string],
): Promise<CustomerDelivery[]> {
  const found = deliveriesOf(workspaceId, sql`${eventIds}::uuid[]`);
  const { rows } = await sql<CustomerDelivery>`
    select found.id, event_id, event.name as event, nullif(event.about, '') as interaction_id, found.webhook_id,
      webhook.url as receiver, state, attempts, uuid_extract_timestamp(found.id) as created_at, finished_at
    from (${found}) as found
    join event on event.id = found.event_id and event.workspace_id = ${workspaceId}
    join webhook on webhook.id = found.webhook_id and webhook.workspace_id = ${workspaceId}
    where (event_id, found.id) > (${afterEvent}, ${afterDelivery})
    order by event_id, found.id limit ${sql.lit(deliveriesMax)}`.execute(scans(db));
  return rows.map((row) => ({ ...row, receiver: withoutSecrets(row.receiver) }));
}

function deliveriesOf(workspaceId: string, eventIds: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOfEvents = sql`workspace_id = ${workspaceId} and event_id = any(${eventIds})`;
  return sql`
    select id, event_id, webhook_id, 'pending' as state, attempts, null::timestamptz as finished_at
    from open_delivery where ${isOfEvents}
    union all
    select id, event_id, webhook_id, state, attempts, finished_at from finished_delivery where ${isOfEvents}`;
}

function isAbout({ workspaceId, customerId }: Customer): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId} and customer_id = ${customerId} and customer_id <> ''`;
}

/** Removes what often is a credential: user, password, query and fragment. */
function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
