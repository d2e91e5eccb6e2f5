import type { JetStreamClient } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';
import { contextFrom, currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';
import type { Broker } from './nats.ts';
import type { OutboxTable } from './outbox.ts';

const pollMs = 1_000;
const batchMax = 500;

type Claimed = Pick<OutboxTable, 'eventId' | 'natsSubject' | 'payload' | 'traceparent'>;

/**
 * Sends what the outbox holds, oldest first, in batches; call `wake` after a commit that wrote to it. Any number of
 * relays may run: a row is claimed by marking it as published, in one statement, before it is sent. A row whose sending
 * failed, or whose relay died, is sent again (`startConfirming` finds it), so events arrive at least once, in no order.
 */
export function startRelay<Tables>(options: {
  db: Kysely<Tables>;
  broker: Broker;
  logger: Logger;
}): Schedule {
  const { db, broker, logger } = options;
  return repeat('relay', pollMs, logger, async (signal) => {
    const { client } = await broker.streams(signal);
    const rows = await claim(db);
    const sent = await Promise.allSettled(rows.map((row) => publish(client, row)));
    const failed = rows.filter((_, index) => sent[index]?.status === 'rejected');
    if (failed.length > 0) {
      broker.forget();
      await giveBack(db, failed);
      const fault = sent.find((result) => result.status === 'rejected');
      throw new Error(`${failed.length} events were not taken`, { cause: fault?.reason });
    }
    return rows.length === batchMax;
  });
}

async function claim<Tables>(db: Kysely<Tables>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update outbox set published_at = now()
    where event_id in (
      select event_id from outbox where published_at is null
      order by created_at limit ${batchMax} for update skip locked)
    returning event_id, nats_subject, payload, traceparent`.execute(db);
  return rows;
}

async function giveBack<Tables>(db: Kysely<Tables>, rows: Claimed[]): Promise<void> {
  const ids = rows.map((row) => row.eventId);
  await sql`update outbox set published_at = null where event_id = any(${ids}::uuid[])`.execute(db);
}

/** Without a message id: the receiver's inbox drops doubles, and a re-sent event must not count as one at the broker. */
async function publish(client: JetStreamClient, row: Claimed): Promise<void> {
  const spanOptions = {
    kind: SpanKind.PRODUCER,
    attributes: { 'messaging.system': 'nats', 'messaging.destination.name': row.natsSubject },
    parent: contextFrom(row.traceparent ?? undefined),
  };
  await inSpan(`send ${row.natsSubject}`, spanOptions, async () => {
    const carried = headers();
    const traceparent = currentTraceparent() ?? row.traceparent;
    if (traceparent) carried.set('traceparent', traceparent);
    await client.publish(row.natsSubject, row.payload, { headers: carried });
  });
}
