import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { idAttributes } from '@parley/runtime/telemetry/span-ids';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry/telemetry';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import {
  countUnnumbered,
  listEvents,
  type NumberedEvent,
  numberEvents,
  oldestUnnumberedSeconds,
} from './log.ts';
import { unnumberedAge, unnumberedEvents } from './metrics.ts';
import type { Broker } from './nats.ts';
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

/** How many events a relay publishes late. Consumers have read older ones in the log. */
const backlogMax = 10_000;

/**
 * Gives the events of the log their places, and publishes them. Call `wake` after a commit that adds events. Any number
 * of relays may run: each event is numbered by one, which publishes it. Of what could not be published, the newest
 * `backlogMax` are published later; if the process ends before, consumers read them in the log too. No consumer holds
 * up a relay: a full stream discards its oldest messages.
 */
export function startRelay<Tables>({ source, db, broker, logger }: RelayOptions<Tables>): Schedule {
  /** The places of events that the broker has not taken: behind `after`, up to `to`. */
  let backlog: { after: number; to: number } | undefined;
  const publishAll = publisher(broker, source);
  const schedule = repeat('relay', pollMs, logger, async (signal) => {
    const events = await numberEvents(db, batchMax);
    const hasMore = events.length === batchMax;
    const isFirst = backlog === undefined;
    const [first, last] = [events[0], events.at(-1)];
    if (first && last) {
      const after = backlog?.after ?? first.position - 1;
      backlog = { after: Math.max(after, last.position - backlogMax), to: last.position };
    }
    // Consumers read the log meanwhile, so numbering must not wait for a broker that does not answer.
    if (!backlog || !broker.isConnected() || (!isFirst && hasMore)) return hasMore;
    const { after, to } = backlog;
    const page = isFirst
      ? events
      : (await listEvents(db, { after: { position: after }, types: [], limit: batchMax })).events;
    await publishAll(page, signal);
    const done = page.length < batchMax ? to : (page.at(-1)?.position ?? to);
    backlog = isFirst || done >= to ? undefined : { after: done, to };
    return hasMore || backlog !== undefined;
  });
  const observing = new DisposableStack();
  observing.use(
    unnumberedAge.observe(async (report) => report(await oldestUnnumberedSeconds(db), { source })),
  );
  observing.use(unnumberedEvents.observe(async (report) => report(await countUnnumbered(db), { source })));
  return {
    ...schedule,
    [Symbol.asyncDispose]: async () => {
      observing[Symbol.dispose]();
      await schedule[Symbol.asyncDispose]();
    },
  };
}

/**
 * Returns a function that publishes events in their order, and throws if the broker has not taken the last one. It asks
 * for no answer for the others: the broker gets them before, and consumers read in the log what it loses.
 */
function publisher(broker: Broker, source: string) {
  return async (events: readonly NumberedEvent[], signal: AbortSignal): Promise<void> => {
    const { client, connection } = await broker.streams(signal);
    const sent = events.map((event, index) =>
      publish(event, source, async (carried) => {
        if (index < events.length - 1) connection.publish(event.type, event.payload, carried);
        else await client.publish(event.type, event.payload, carried);
      }),
    );
    try {
      await Promise.all(sent);
    } catch (cause) {
      broker.redeclareStreams();
      throw new Error('events were not published yet', { cause });
    }
  };
}

/**
 * Publishes an event in its span. Sets no message id: the broker must not drop events that are published again. Inboxes
 * drop duplicates.
 */
async function publish(
  event: NumberedEvent,
  source: string,
  send: (carried: { headers: MsgHdrs }) => Promise<void>,
): Promise<void> {
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
  await inSpan(`send ${event.type}`, spanOptions, () => send({ headers: headersOf(event, source) }));
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
