import type { JetStreamClient } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { idAttributes } from '@parley/runtime/span-ids';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';
import type { Broker } from './nats.ts';
import type { OutboxTable } from './outbox.ts';
import { eventIdHeader, hasCapacityFor, isFullFault, raisedAtHeader, sentAtHeader } from './stream.ts';

const pollMs = 1_000;
const batchMax = 500;
/** The share of the newest events in each batch, so that new events do not wait behind a long backlog. */
const newestMax = 100;

type Claimed = Omit<OutboxTable, 'publishedAt'> & { publishedAt: Date };

/**
 * Publishes the events of the outbox in batches: mostly the oldest, and some of the newest. Call `wake` after
 * a commit that inserts events. Any number of relays may run: one statement claims rows by marking them as
 * published, before they are sent. If sending fails or the relay dies, the event is republished (see
 * `startReconciliation`). Events arrive at least once, in no order. While the stream is full, the remaining events stay
 * in the outbox.
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
    if (isFull && !(await hasCapacityFor(manager, batchMax))) return false;
    const rows = await claim(db);
    const sent = await Promise.allSettled(rows.map((row) => publish(client, row)));
    const failed = rows.filter((_, index) => sent[index]?.status === 'rejected');
    if (failed.length > 0) await releaseClaims(db, failed);
    const faults = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const other = faults.find((fault) => !isFullFault(fault));
    if (other !== undefined) {
      broker.redeclareStreams();
      throw new Error(`${failed.length} events were not published`, { cause: other });
    }
    const wasFull = isFull;
    isFull = failed.length > 0;
    if (isFull && !wasFull) logger.warn('the stream is full: events wait in the outbox');
    return rows.length === batchMax && !isFull;
  });
}

async function claim<Tables>(db: Kysely<Tables>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    ${acrossWorkspaces('the relay publishes the events of all workspaces')}
    update outbox set published_at = now()
    where event_id = any(
      array(
        select event_id from outbox where published_at is null
        order by created_at limit ${batchMax - newestMax} for update skip locked)
      || array(
        select event_id from outbox where published_at is null
        order by created_at desc limit ${newestMax} for update skip locked))
    returning event_id, workspace_id, nats_subject, payload, traceparent, created_at, published_at`.execute(
    db,
  );
  return rows;
}

async function releaseClaims<Tables>(db: Kysely<Tables>, rows: Claimed[]): Promise<void> {
  const ids = rows.map((row) => row.eventId);
  await sql`
    ${acrossWorkspaces('the relay releases the rows that it claimed')}
    update outbox set published_at = null where event_id = any(${ids}::uuid[])`.execute(db);
}

/** Sets no message id: the broker must not drop republished events. The receiver's inbox drops duplicates. */
async function publish(client: JetStreamClient, row: Claimed): Promise<void> {
  const spanOptions = {
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': row.natsSubject,
      'messaging.message.id': row.eventId,
      ...idAttributes({ workspaceId: row.workspaceId }),
    },
    parent: row.traceparent,
  };
  await inSpan(`send ${row.natsSubject}`, spanOptions, async () => {
    const carried = headers();
    carried.set(eventIdHeader, row.eventId);
    carried.set(raisedAtHeader, row.createdAt.toISOString());
    carried.set(sentAtHeader, row.publishedAt.toISOString());
    const traceparent = currentTraceparent();
    if (traceparent) carried.set('traceparent', traceparent);
    await client.publish(row.natsSubject, row.payload, { headers: carried });
  });
}
