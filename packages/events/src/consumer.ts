import { AckPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type EventType, stream } from '@parley/contracts/events';
import { toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { repeat } from '@parley/runtime/schedule';
import { inSpans, SpanKind } from '@parley/runtime/telemetry';
import type { Broker } from './nats.ts';

/** An event that has come, and the span of its handling: what follows from it belongs there. */
export interface Received<Message> {
  message: Message;
  traceparent: string | undefined;
}

interface ConsumerOptions<Message> {
  broker: Broker;
  logger: Logger;
  type: EventType<Message>;
  /** The durable's name; copies of a service share it and with it the work. */
  durable: string;
  /** Must be idempotent: an event may come more than once. */
  handle: (events: Received<Message>[]) => Promise<void>;
}

const batchMax = 100;
const retryMs = 1_000;
const ackWaitMs = 30_000;

/**
 * Hands events over in batches: as many as have come while the last batch was handled. A batch is acknowledged when
 * `handle` resolves. When it throws, its events are handed over one by one, so that one bad event does not hold the
 * others; those that fail again come back after a second, as do all when it throws that something is away. A payload that cannot be
 * read is dropped with an error line; its sender sends it again until a reader can take it.
 * Disposing waits for the batch under way.
 */
export function startConsumer<Message>(options: ConsumerOptions<Message>): AsyncDisposable {
  const { broker, logger } = options;
  return repeat(`consume ${options.type.subject}`, retryMs, logger, async (signal) => {
    const waiting: JsMsg[] = [];
    let arrival = Promise.withResolvers<void>();
    const messages = await subscribe(options, signal, (message) => {
      waiting.push(message);
      arrival.resolve();
    });
    // Not a race with the promise of the end: each would leave something with it, for as long as it is pending.
    const ended: { fault?: unknown; isOver: boolean } = { isOver: false };
    void messages.closed().then((fault) => {
      Object.assign(ended, { fault, isOver: true });
      arrival.resolve();
    });
    const stop = (): void => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted && !ended.isOver) {
        await arrival.promise;
        arrival = Promise.withResolvers();
        while (waiting.length > 0 && !signal.aborted) await take(waiting.splice(0, batchMax), options);
      }
      if (ended.fault) throw ended.fault;
    } finally {
      signal.removeEventListener('abort', stop);
      messages.stop();
      // What was not begun is another copy's at once.
      for (const message of waiting) message.nak();
      broker.forget();
    }
  });
}

/** Messages come by callback: the iterator's own count of what has come is wrong after it has pulled. */
async function subscribe<Message>(
  { broker, type, durable }: ConsumerOptions<Message>,
  signal: AbortSignal,
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  const { client, manager } = await broker.streams(signal);
  await manager.consumers.add(stream.name, {
    durable_name: durable,
    filter_subject: type.subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: 1_000,
  });
  const consumer = await client.consumers.get(stream.name, durable);
  return consumer.consume({
    max_messages: 2 * batchMax,
    expires: 5_000,
    abort_on_missing_resource: true,
    callback,
  });
}

async function take<Message>(
  batch: JsMsg[],
  { type, handle, logger }: ConsumerOptions<Message>,
): Promise<void> {
  const readable: { raw: JsMsg; event: Received<Message> }[] = [];
  for (const raw of batch) {
    try {
      const traceparent = raw.headers?.get('traceparent') || undefined;
      readable.push({ raw, event: { message: type.message.decode(raw.data), traceparent } });
    } catch (error) {
      logger.error({ err: error, subject: raw.subject, streamSequence: raw.seq }, 'an event cannot be read');
      raw.term();
    }
  }
  const spanOptions = {
    kind: SpanKind.CONSUMER,
    attributes: { 'messaging.system': 'nats', 'messaging.destination.name': type.subject },
  };
  const handleAll = async (part: typeof readable): Promise<void> => {
    const parents = part.map(({ event }) => event.traceparent);
    await inSpans(`process ${type.subject}`, spanOptions, parents, (traceparents) =>
      handle(part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] }))),
    );
    for (const { raw } of part) raw.ack();
  };
  try {
    await handleAll(readable);
  } catch (error) {
    logger.warn({ err: error, events: readable.length }, 'a batch of events failed');
    if (isPassing(error)) {
      for (const { raw } of readable) raw.nak(retryMs);
      return;
    }
    for (const one of readable) {
      try {
        await handleAll([one]);
      } catch {
        one.raw.nak(retryMs);
      }
    }
  }
}

/** Whether it would fail the same with each of the events, and not for long. */
function isPassing(error: unknown): boolean {
  const { code } = toAppError(error);
  return code === 'unavailable' || code === 'deadline_exceeded';
}
