import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';
import { idAttributes } from '@parley/runtime/span-ids';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import { listEvents, type NumberedEvent, numberEvents, oldestUnnumberedSeconds } from './log.ts';
import { unnumberedAge } from './metrics.ts';
import type { Broker, Streams } from './nats.ts';
import { headerNames } from './stream.ts';

const pollMs = 1_000;
const batchMax = 500;

interface RelayOptions<Tables> {
  /** The name of the service, as in the header `ce-source`. */
  source: string;
  db: Kysely<Tables>;
  broker: Broker;
  logger: Logger;
}

/**
 * Gives the events of the log their places, and publishes them. Call `wake` after a commit that adds events. Any number
 * of relays may run: each event is numbered by one, which publishes it. What could not be published is published later;
 * if the process ends before, consumers read it in the log. No consumer holds up a relay: a full stream discards its
 * oldest messages.
 */
export function startRelay<Tables>(options: RelayOptions<Tables>): Schedule {
  const { source, db, broker, logger } = options;
  /** The position behind which events may not have been published. */
  let unpublished: number | undefined;
  const publishAll = async (events: readonly NumberedEvent[], signal: AbortSignal): Promise<void> => {
    const { client } = await broker.streams(signal);
    const sent = await Promise.allSettled(events.map((event) => publish(client, event, source)));
    const failed = sent.find((result) => result.status === 'rejected');
    if (!failed) return;
    broker.redeclareStreams();
    throw new Error('events were not published yet', { cause: failed.reason });
  };
  const schedule = repeat('relay', pollMs, logger, async (signal) => {
    const events = await numberEvents(db, batchMax);
    const hasMore = events.length === batchMax;
    const [first] = events;
    if (unpublished === undefined) {
      if (!first) return false;
      unpublished = first.position - 1;
      // Consumers read the log meanwhile, so numbering must not wait for the broker.
      if (!broker.isConnected()) return hasMore;
      await publishAll(events, signal);
      unpublished = undefined;
      return hasMore;
    }
    if (!broker.isConnected()) return hasMore;
    const page = await listEvents(db, { after: { position: unpublished }, types: [], limit: batchMax });
    await publishAll(page.events, signal);
    unpublished = page.hasMore ? page.place.position : undefined;
    return hasMore || page.hasMore;
  });
  const observing = unnumberedAge.observe(async (report) =>
    report(await oldestUnnumberedSeconds(db), { source }),
  );
  return {
    ...schedule,
    [Symbol.asyncDispose]: async () => {
      observing[Symbol.dispose]();
      await schedule[Symbol.asyncDispose]();
    },
  };
}

/** Sets no message id: the broker must not drop events that are published again. Inboxes drop duplicates. */
async function publish(client: Streams['client'], event: NumberedEvent, source: string): Promise<void> {
  const spanOptions = {
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': event.type,
      'messaging.message.id': event.id,
      ...idAttributes({ workspaceId: event.workspaceId }),
    },
    parent: event.traceparent,
  };
  await inSpan(`send ${event.type}`, spanOptions, async () => {
    await client.publish(event.type, event.payload, { headers: headersOf(event, source) });
  });
}

/** Returns the headers of CloudEvents 1.0 in binary mode (NATS protocol binding) and `traceparent`. */
function headersOf(event: NumberedEvent, source: string): MsgHdrs {
  const carried = headers();
  const traceparent = currentTraceparent();
  const values = {
    [headerNames.specVersion]: '1.0',
    [headerNames.id]: event.id,
    [headerNames.eventType]: event.type,
    [headerNames.source]: `/parley/${source}`,
    [headerNames.time]: event.raisedAt.toISOString(),
    [headerNames.subject]: event.about,
    [headerNames.workspace]: event.workspaceId,
    [headerNames.sequence]: String(event.position),
    [headerNames.contentType]: 'application/protobuf',
    ...(traceparent !== undefined && { traceparent }),
  };
  for (const [name, value] of Object.entries(values)) carried.set(name, value);
  return carried;
}
