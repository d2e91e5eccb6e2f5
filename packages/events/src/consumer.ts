import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { type EventType, stream } from '@parley/contracts/events';
import { type ErrorCode, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { idAttributes, idsOf } from '@parley/runtime/span-ids';
import { inSpans, SpanKind } from '@parley/runtime/telemetry';
import { consumerLag } from './metrics.ts';
import type { Broker } from './nats.ts';
import { ackWaitMs, declareDurable, eventIdHeader, lagOf, raisedAtHeader, skippedBy } from './stream.ts';

/** A received event, with the trace context of its handling. */
export interface Received<Message> {
  message: Message;
  /** When the sender's transaction began, by its database clock. Undefined if the message does not carry it. */
  raisedAt: Date | undefined;
  traceparent: string | undefined;
}

interface ConsumerOptions<Message> {
  broker: Broker;
  logger: Logger;
  type: EventType<Message>;
  /** The name of the durable. The replicas of a service share it and thereby the work. */
  durable: string;
  /** Must be idempotent: events may be redelivered. */
  handle: (events: Received<Message>[]) => Promise<void>;
}

const batchMax = 100;
const retryMs = 1_000;
const checkMs = 5_000;

/**
 * Passes events to `handle` in batches: all that arrived while the previous batch was handled. A batch is acknowledged
 * when `handle` resolves.
 *
 * - If `handle` reports an unavailable dependency or a rejected credential, the batch is redelivered after a second.
 * - For any other error, the events are handled one by one, so that one invalid event does not block the others.
 * - An event that times out alone is redelivered after a second.
 * - An event that cannot be decoded, or fails alone for another reason, is dropped with an error in the log. Its sender
 *   republishes it until a consumer acknowledges it.
 *
 * The durable is recreated when it or the stream is missing or has lost events. The subscription is recreated when it
 * receives no heartbeats. Disposing waits for the batch in progress.
 */
export function startConsumer<Message>(options: ConsumerOptions<Message>): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(startHandling(options));
  stack.use(startChecking(options));
  stack.use(observeLag(options));
  return stack;
}

function observeLag<Message>({ broker, durable }: ConsumerOptions<Message>): Disposable {
  return consumerLag.observe(async (report) => {
    // Otherwise the client would wait for a connection.
    if (!broker.isConnected()) return;
    const { manager } = await broker.streams();
    const lag = await lagOf(manager, durable);
    if (lag !== undefined) report(lag, { durable });
  });
}

function startHandling<Message>(options: ConsumerOptions<Message>): Schedule {
  const { type, logger } = options;
  return repeat(`consume ${type.subject}`, retryMs, logger, async (signal) => {
    const waiting: JsMsg[] = [];
    let batch: JsMsg[] = [];
    let arrival = Promise.withResolvers<void>();
    const messages = await subscribe(options, signal, (message) => {
      waiting.push(message);
      arrival.resolve();
    });
    // A race with `closed()` would add a handler to that pending promise in each turn.
    const ended: { fault?: unknown; isOver: boolean } = { isOver: false };
    void messages.closed().then((fault) => {
      Object.assign(ended, { fault, isOver: true });
      arrival.resolve();
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
          batch = waiting.splice(0, batchMax);
          await handleBatch(batch, options, signal);
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

/** Uses a callback, because the iterator's count of received messages is wrong after a pull. */
async function subscribe<Message>(
  { broker, logger, type, durable }: ConsumerOptions<Message>,
  signal: AbortSignal,
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  // The stream may have been deleted together with the last subscription.
  broker.redeclareStreams();
  const { client, manager } = await broker.streams(signal);
  await declareDurable(manager, durable, type.subject);
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

/** Deletes a durable that skips events. The consumer recreates it. */
function startChecking<Message>({ broker, logger, type, durable }: ConsumerOptions<Message>): Schedule {
  let suspected: number | undefined;
  return repeat(`check durable ${durable}`, checkMs, logger, async (signal) => {
    const { manager } = await broker.streams(signal);
    const skipped = await skippedBy(manager, durable, type.subject);
    if (skipped !== undefined && skipped === suspected) {
      logger.warn({ durable, streamSequence: skipped }, 'the broker has lost events and skips new ones');
      await manager.consumers.delete(stream.name, durable);
    }
    suspected = skipped;
  });
}

interface Pending<Message> {
  raw: JsMsg;
  event: Received<Message>;
}

async function handleBatch<Message>(
  batch: JsMsg[],
  options: ConsumerOptions<Message>,
  signal: AbortSignal,
): Promise<void> {
  const { type, logger } = options;
  const readable: Pending<Message>[] = [];
  for (const raw of batch) {
    const traceparent = raw.headers?.get('traceparent') || undefined;
    try {
      const message = type.message.decode(raw.data);
      readable.push({ raw, event: { message, raisedAt: raisedAtOf(raw), traceparent } });
    } catch (error) {
      await processing(type, [{ traceparent }], async () => {
        drop(raw, error, logger);
        throw error;
      }).catch(() => {});
    }
  }
  const nak = (part: Pending<Message>[]): void => {
    for (const { raw } of part) raw.nak(retryMs);
  };

  if (readable.length === 0) return;
  const outcome = await handleAll(readable, options);
  if (outcome === 'unavailable' || outcome === 'late') nak(readable);
  if (outcome !== 'failed' || readable.length === 1) return;
  for (const [index, one] of readable.entries()) {
    const alone = signal.aborted ? 'unavailable' : await handleAll([one], options);
    if (alone === 'late') nak([one]);
    if (alone === 'unavailable') {
      nak(readable.slice(index));
      return;
    }
  }
}

function raisedAtOf(raw: JsMsg): Date | undefined {
  const raisedAt = new Date(raw.headers?.get(raisedAtHeader) ?? '');
  return Number.isNaN(raisedAt.getTime()) ? undefined : raisedAt;
}

/** Errors of a dependency that affect every event: it is unavailable, or its credential is being rotated. */
const ofDependencies: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'unauthenticated',
  'permission_denied',
]);

/**
 * Handles events and acknowledges them. `unavailable`: no event can be handled now. `late`: a single event timed out,
 * which says nothing about others. `failed`: any other reason. An event that fails alone is dropped.
 */
async function handleAll<Message>(
  part: Pending<Message>[],
  { type, handle, logger }: ConsumerOptions<Message>,
): Promise<'done' | Failure> {
  try {
    await processing(
      type,
      part.map(({ event }) => event),
      async (traceparents) => {
        try {
          await handle(part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] })));
        } catch (error) {
          // Logged inside the span, so that the line has its trace.
          report(error, part, logger);
          throw error;
        }
      },
    );
  } catch (error) {
    return failureOf(error, part.length);
  }
  for (const { raw } of part) raw.ack();
  return 'done';
}

type Failure = 'unavailable' | 'late' | 'failed';

function failureOf(error: unknown, events: number): Failure {
  const { code } = toAppError(error);
  if (ofDependencies.has(code)) return 'unavailable';
  // A batch may time out where a single event does not.
  return code === 'deadline_exceeded' && events === 1 ? 'late' : 'failed';
}

/** Logs why events were not handled, and drops an event that failed alone. */
function report(error: unknown, part: Pending<unknown>[], logger: Logger): void {
  const [first, ...others] = part;
  const line = { err: error, events: part.length };
  if (failureOf(error, part.length) !== 'failed') logger.warn(line, 'events cannot be handled now');
  else if (first && others.length === 0) drop(first.raw, error, logger);
  else logger.warn(line, 'a batch of events failed');
}

/** Runs `work` in the spans of the events: see `inSpans`. */
function processing<Message>(
  type: EventType<Message>,
  events: readonly { message?: Message; traceparent: string | undefined }[],
  work: (traceparents: (string | undefined)[]) => Promise<void>,
): Promise<void> {
  const spans = events.map(({ message, traceparent: parent }) => ({
    kind: SpanKind.CONSUMER,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': type.subject,
      ...idAttributes(idsOf(message)),
    },
    parent,
  }));
  return inSpans(`process ${type.subject}`, spans, work);
}

/** Removes an event from the stream. Its sender keeps it until it is confirmed. */
function drop(raw: JsMsg, error: unknown, logger: Logger): void {
  const eventId = raw.headers?.get(eventIdHeader);
  const line = { err: error, eventId, subject: raw.subject, streamSequence: raw.seq };
  logger.error(line, 'an event cannot be handled and is dropped; its sender will republish it');
  raw.term();
}
