import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { type EventType, stream } from '@parley/contracts/events';
import { type ErrorCode, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { inSpans, SpanKind } from '@parley/runtime/telemetry';
import type { Broker } from './nats.ts';
import { ackWaitMs, declareDurable, eventIdHeader, raisedAtHeader, skippedBy } from './stream.ts';

/** An event that has come, and the span of its handling: what follows from it belongs there. */
export interface Received<Message> {
  message: Message;
  /** When the transaction that raised it began, by its sender's database; undefined from a sender that does not say. */
  raisedAt: Date | undefined;
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
const checkMs = 5_000;

/**
 * Hands events over in batches: as many as have come while the last batch was handled. A batch is acknowledged when
 * `handle` resolves. When it throws that something is away, or that a neighbour refuses our credential, its events come
 * back after a second. When it throws anything else they are handed over one by one, so that one bad event does not hold the
 * others; what cannot be read, or fails alone too, is dropped with an error line: its sender finds it missing and sends it
 * again, until a reader can take it.
 * The durable is made anew when it, or the stream, is gone or has lost events, and the subscription when nothing comes to it. Disposing
 * waits for the batch under way.
 */
export function startConsumer<Message>(options: ConsumerOptions<Message>): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(startHandling(options));
  stack.use(startChecking(options));
  return stack;
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
    // Not a race with the promise of the end: each would leave something with it, for as long as it is pending.
    const ended: { fault?: unknown; isOver: boolean } = { isOver: false };
    void messages.closed().then((fault) => {
      Object.assign(ended, { fault, isOver: true });
      arrival.resolve();
    });
    // However long the handling takes, nobody else gets what is in hand here: it would only come twice.
    const holding = setInterval(() => {
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
          await take(batch, options, signal);
        }
      }
      if (ended.fault) throw ended.fault;
    } finally {
      clearInterval(holding);
      signal.removeEventListener('abort', stop);
      messages.stop();
      // What was not begun is another copy's at once.
      for (const message of waiting) message.nak();
    }
  });
}

/** Messages come by callback: the iterator's own count of what has come is wrong after it has pulled. */
async function subscribe<Message>(
  { broker, logger, type, durable }: ConsumerOptions<Message>,
  signal: AbortSignal,
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  // Whatever ended the last subscription may have ended the stream.
  broker.forget();
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
 * Ends a subscription from which the broker's heartbeats are missed while there is a connection: the library would go on asking
 * where no answer comes. The next one has another subject for its answers.
 */
async function endWhenSilent(messages: ConsumerMessages, logger: Logger): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type !== 'heartbeats_missed') continue;
    logger.warn('nothing comes from NATS, not even heartbeats: subscribing again');
    messages.stop();
  }
}

/** Ends a durable that skips events; whoever consumes makes it anew. */
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

interface InHand<Message> {
  raw: JsMsg;
  event: Received<Message>;
}

async function take<Message>(
  batch: JsMsg[],
  options: ConsumerOptions<Message>,
  signal: AbortSignal,
): Promise<void> {
  const { type, logger } = options;
  const readable: InHand<Message>[] = [];
  for (const raw of batch) {
    const traceparent = raw.headers?.get('traceparent') || undefined;
    try {
      const message = type.message.decode(raw.data);
      readable.push({ raw, event: { message, raisedAt: raisedAtOf(raw), traceparent } });
    } catch (error) {
      await processing(type, [traceparent], async () => {
        drop(raw, error, logger);
        throw error;
      }).catch(() => {});
    }
  }
  const giveBack = (part: InHand<Message>[]): void => {
    for (const { raw } of part) raw.nak(retryMs);
  };

  if (readable.length === 0) return;
  const outcome = await handleTogether(readable, options);
  if (outcome === 'away' || outcome === 'late') giveBack(readable);
  if (outcome !== 'failed' || readable.length === 1) return;
  for (const [index, one] of readable.entries()) {
    const alone = signal.aborted ? 'away' : await handleTogether([one], options);
    if (alone === 'late') giveBack([one]);
    if (alone === 'away') {
      giveBack(readable.slice(index));
      return;
    }
  }
}

function raisedAtOf(raw: JsMsg): Date | undefined {
  const raisedAt = new Date(raw.headers?.get(raisedAtHeader) ?? '');
  return Number.isNaN(raisedAt.getTime()) ? undefined : raisedAt;
}

/** What neighbours say, whatever they are asked: away, or that they do not take our credential, which is being changed. */
const ofNeighbours: ReadonlySet<ErrorCode> = new Set(['unavailable', 'unauthenticated', 'permission_denied']);

/**
 * Acknowledges what was handled. `away`: none of them can be handled for now; `late`: the only one takes too long, which
 * says nothing of others; `failed`: for another reason. One that fails alone is dropped.
 */
async function handleTogether<Message>(
  part: InHand<Message>[],
  { type, handle, logger }: ConsumerOptions<Message>,
): Promise<'done' | Failure> {
  const parents = part.map(({ event }) => event.traceparent);
  try {
    await processing(type, parents, async (traceparents) => {
      try {
        await handle(part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] })));
      } catch (error) {
        // In here the line about the only one has its trace.
        tell(error, part, logger);
        throw error;
      }
    });
  } catch (error) {
    return failureOf(error, part.length);
  }
  for (const { raw } of part) raw.ack();
  return 'done';
}

type Failure = 'away' | 'late' | 'failed';

function failureOf(error: unknown, events: number): Failure {
  const { code } = toAppError(error);
  if (ofNeighbours.has(code)) return 'away';
  // Many may take too long where one does not.
  return code === 'deadline_exceeded' && events === 1 ? 'late' : 'failed';
}

/** Says why events were not handled, and drops one that has failed alone. */
function tell(error: unknown, part: InHand<unknown>[], logger: Logger): void {
  const [first, ...others] = part;
  const line = { err: error, events: part.length };
  if (failureOf(error, part.length) !== 'failed') logger.warn(line, 'events cannot be taken now');
  else if (first && others.length === 0) drop(first.raw, error, logger);
  else logger.warn(line, 'a batch of events failed');
}

/** Runs `work` in the spans of events that are handled: see `inSpans`. */
function processing<Message>(
  type: EventType<Message>,
  parents: readonly (string | undefined)[],
  work: (traceparents: (string | undefined)[]) => Promise<void>,
): Promise<void> {
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': type.subject };
  return inSpans(`process ${type.subject}`, { kind: SpanKind.CONSUMER, attributes }, parents, work);
}

/** Takes an event from the stream. It is not lost: its sender keeps it until it is held. */
function drop(raw: JsMsg, error: unknown, logger: Logger): void {
  const eventId = raw.headers?.get(eventIdHeader);
  const line = { err: error, eventId, subject: raw.subject, streamSequence: raw.seq };
  logger.error(line, 'an event cannot be taken and is dropped; its sender will send it again');
  raw.term();
}
