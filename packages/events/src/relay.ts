import type { JetStreamClient } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { currentTraceparent, inSpan, readTraceparent, SpanKind } from '@parley/runtime/telemetry';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';
import type { Broker } from './nats.ts';
import type { OutboxTable } from './outbox.ts';
import { eventIdHeader, hasRoomFor, isFullFault, raisedAtHeader, sentAtHeader } from './stream.ts';

const pollMs = 1_000;
const batchMax = 500;
/** Of each batch, for the newest: what happens now need not wait until a long backlog has been sent. */
const newestMax = 100;

type Claimed = Pick<OutboxTable, 'eventId' | 'natsSubject' | 'payload' | 'traceparent' | 'createdAt'> & {
  publishedAt: Date;
};

/**
 * Sends what the outbox holds in batches, most of each from the oldest and some from the newest; call `wake` after a
 * commit that wrote to it. Any number of relays may run: a row is claimed by marking it as published, in one statement,
 * before it is sent. A row whose sending failed, or whose relay died, is sent again (`startConfirming` finds it), so events
 * arrive at least once, in no order. While the stream is full the rest stays in the outbox, untouched.
 */
export function startRelay<Tables>(options: {
  db: Kysely<Tables>;
  broker: Broker;
  logger: Logger;
}): Schedule {
  const { db, broker, logger } = options;
  let isFull = false;
  return repeat('relay', pollMs, logger, async (signal) => {
    const { client, manager } = await broker.streams(signal);
    if (isFull && !(await hasRoomFor(manager, batchMax))) return false;
    const rows = await claim(db);
    const sent = await Promise.allSettled(rows.map((row) => publish(client, row)));
    const failed = rows.filter((_, index) => sent[index]?.status === 'rejected');
    if (failed.length > 0) await giveBack(db, failed);
    const faults = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const other = faults.find((fault) => !isFullFault(fault));
    if (other !== undefined) {
      broker.forget();
      throw new Error(`${failed.length} events were not taken`, { cause: other });
    }
    const wasFull = isFull;
    isFull = failed.length > 0;
    if (isFull && !wasFull) logger.warn('the stream is full: events wait in the outbox');
    return rows.length === batchMax && !isFull;
  });
}

async function claim<Tables>(db: Kysely<Tables>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    ${acrossWorkspaces('the relay sends whatever is there')}
    update outbox set published_at = now()
    where event_id = any(
      array(
        select event_id from outbox where published_at is null
        order by created_at limit ${batchMax - newestMax} for update skip locked)
      || array(
        select event_id from outbox where published_at is null
        order by created_at desc limit ${newestMax} for update skip locked))
    returning event_id, nats_subject, payload, traceparent, created_at, published_at`.execute(db);
  return rows;
}

async function giveBack<Tables>(db: Kysely<Tables>, rows: Claimed[]): Promise<void> {
  const ids = rows.map((row) => row.eventId);
  await sql`
    ${acrossWorkspaces('the relay gives back what it has claimed')}
    update outbox set published_at = null where event_id = any(${ids}::uuid[])`.execute(db);
}

/** Without a message id: the receiver's inbox drops doubles, and a re-sent event must not count as one at the broker. */
async function publish(client: JetStreamClient, row: Claimed): Promise<void> {
  const spanOptions = {
    kind: SpanKind.PRODUCER,
    attributes: { 'messaging.system': 'nats', 'messaging.destination.name': row.natsSubject },
    parent: readTraceparent(row.traceparent ?? undefined),
  };
  await inSpan(`send ${row.natsSubject}`, spanOptions, async () => {
    const carried = headers();
    carried.set(eventIdHeader, row.eventId);
    carried.set(raisedAtHeader, row.createdAt.toISOString());
    carried.set(sentAtHeader, row.publishedAt.toISOString());
    const traceparent = currentTraceparent() ?? row.traceparent;
    if (traceparent) carried.set('traceparent', traceparent);
    await client.publish(row.natsSubject, row.payload, { headers: carried });
  });
}
