import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { stream } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Handling } from './handling.ts';
import { repeatedEvents } from './metrics.ts';
import type { Broker } from './nats.ts';
import { ackWaitMs, declareDurable, headerNames } from './stream.ts';

const batchMax = 100;
const retryMs = 1_000;

interface Receiving {
  broker: Broker;
  logger: Logger;
  durable: string;
  subjects: readonly string[];
  handling: Handling;
  /** How long the first event of a batch waits for others at most. */
  gatherMs: number;
  /** Returns whether the catch-up has what the stream may lose from now on. */
  hasBegun(): Promise<boolean>;
}

/**
 * Handles the messages of the stream. A batch has all that arrived while the previous one was handled. The durable is
 * created again when it is missing, and the subscription when it gets no heartbeats.
 */
export function startReceiving(parts: Receiving): Schedule {
  const { durable, gatherMs, logger } = parts;
  return repeat(`consume ${durable}`, retryMs, logger, async (signal) => {
    if (!(await parts.hasBegun())) return;
    const waiting: JsMsg[] = [];
    let batch: JsMsg[] = [];
    let arrival = Promise.withResolvers<void>();
    let fullBatch = Promise.withResolvers<void>();
    const messages = await subscribe(parts, signal, (message) => {
      waiting.push(message);
      arrival.resolve();
      if (waiting.length >= batchMax) fullBatch.resolve();
    });
    // A race with `closed()` would add a handler to that pending promise in each turn.
    const ended: { fault?: unknown; isOver: boolean } = { isOver: false };
    void messages.closed().then((fault) => {
      Object.assign(ended, { fault, isOver: true });
      arrival.resolve();
      fullBatch.resolve();
    });
    // Extends the ack deadline, so that slow handling causes no redelivery.
    const extending = setInterval(() => {
      for (const message of [...batch, ...waiting]) message.working();
    }, ackWaitMs / 3);
    const stop = (): void => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted && !ended.isOver) {
        await arrival.promise;
        arrival = Promise.withResolvers();
        while (waiting.length > 0 && !signal.aborted) {
          if (gatherMs > 0 && waiting.length < batchMax && !ended.isOver) {
            fullBatch = Promise.withResolvers();
            await before(fullBatch.promise, gatherMs);
          }
          batch = waiting.splice(0, batchMax);
          await handleBatch(batch, parts, signal);
        }
      }
      if (ended.fault) throw ended.fault;
    } finally {
      clearInterval(extending);
      signal.removeEventListener('abort', stop);
      messages.stop();
      // Lets another replica take the remaining events immediately.
      for (const message of waiting) message.nak();
    }
  });
}

/** Waits for `event`, but no longer than `ms`. */
async function before(event: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([event, promise]);
  clearTimeout(timer);
}

/** Uses a callback, because the iterator's count of received messages is wrong after a pull. */
async function subscribe(
  { broker, logger, subjects, durable }: Receiving,
  signal: AbortSignal,
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  // The stream may have been deleted together with the last subscription.
  broker.redeclareStreams();
  const { client, manager } = await broker.streams(signal);
  await declareDurable(manager, durable, subjects);
  const consumer = await client.consumers.get(stream.name, durable);
  const messages = await consumer.consume({
    max_messages: 2 * batchMax,
    expires: 5_000,
    abort_on_missing_resource: true,
    callback,
  });
  void endWhenSilent(messages, logger);
  return messages;
}

/**
 * Ends a connected subscription that misses the broker's heartbeats: the library would keep pulling on a
 * subject without answers. The next subscription uses a new reply subject.
 */
async function endWhenSilent(messages: ConsumerMessages, logger: Logger): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type !== 'heartbeats_missed') continue;
    logger.warn('no heartbeats from NATS; resubscribing');
    messages.stop();
  }
}

async function handleBatch(
  batch: readonly JsMsg[],
  { durable, handling, logger, subjects }: Receiving,
  signal: AbortSignal,
): Promise<void> {
  const received = batch.flatMap((raw) => {
    if (!subjects.includes(raw.subject)) {
      raw.ack();
      return [];
    }
    const event = eventOf(raw);
    if (event) return { raw, event };
    logger.error({ subject: raw.subject, streamSequence: raw.seq }, 'a message is no event and is dropped');
    raw.term();
    return [];
  });
  if (received.length === 0) return;
  try {
    const { again, repeated } = await handling(
      received.map(({ event }) => event),
      { signal },
    );
    for (let index = 0; index < repeated; index += 1) repeatedEvents.add({ durable });
    for (const { raw, event } of received) {
      if (again.has(event.id)) raw.nak(retryMs);
      else raw.ack();
    }
  } catch (error) {
    logger.warn({ err: error, events: received.length }, 'events cannot be handled now');
    for (const { raw } of received) raw.nak(retryMs);
  }
}

/**
 * Returns the event of a message; undefined if its headers are not an event's. An event that Postgres cannot store
 * could not become a dead letter, and its batch would be redelivered without end.
 */
function eventOf({ headers, subject, data }: JsMsg): LoggedEvent | undefined {
  const header = (name: string): string => headers?.get(name) ?? '';
  const time = header(headerNames.time);
  const raisedAt = new Date(time);
  const ids = [header(headerNames.id), header(headerNames.workspace)];
  const isStorable =
    /^(?!0000)\d{4}-/.test(time) && !`${header(headerNames.subject)}${header('traceparent')}`.includes('\0');
  if (
    !ids.every((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) ||
    Number.isNaN(raisedAt.getTime()) ||
    !isStorable
  )
    return undefined;
  return {
    id: header(headerNames.id),
    type: subject,
    workspaceId: header(headerNames.workspace),
    about: header(headerNames.subject),
    raisedAt,
    payload: Buffer.from(data),
    traceparent: header('traceparent'),
    cursor: '',
    position: Number(header(headerNames.sequence)),
  };
}
