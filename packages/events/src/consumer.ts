import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { type EventType, stream } from '@parley/contracts/events';
import { toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { inSpans, SpanKind } from '@parley/runtime/telemetry';
import type { Broker } from './nats.ts';
import { ackWaitMs, declareDurable, eventIdHeader, skippedBy } from './stream.ts';

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
const checkMs = 5_000;

/**
 * Hands events over in batches: as many as have come while the last batch was handled. A batch is acknowledged when
 * `handle` resolves. When it throws that something is away, its events come back after a second. When it throws anything
 * else they are handed over one by one, so that one bad event does not hold the others; what cannot be read, or fails alone
 * too, is dropped with an error line: its sender finds it missing and sends it again, until a reader can take it.
 * The durable is made anew when it, or the stream, is gone or has lost events. Disposing waits for the batch under way.
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
  { broker, type, durable }: ConsumerOptions<Message>,
  signal: AbortSignal,
  callback: (message: JsMsg) => void,
): Promise<ConsumerMessages> {
  // Whatever ended the last subscription may have ended the stream.
  broker.forget();
  const { client, manager } = await broker.streams(signal);
  await declareDurable(manager, durable, type.subject);
  const consumer = await client.consumers.get(stream.name, durable);
  return consumer.consume({
    max_messages: 2 * batchMax,
    expires: 5_000,
    abort_on_missing_resource: true,
    callback,
  });
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
    try {
      const traceparent = raw.headers?.get('traceparent') || undefined;
      readable.push({ raw, event: { message: type.message.decode(raw.data), traceparent } });
    } catch (error) {
      drop(raw, error, logger);
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

/**
 * Acknowledges what was handled. `away`: none of them can be handled for now; `late`: the only one takes too long, which
 * says nothing of others; `failed`: for another reason. One that fails alone is dropped.
 */
async function handleTogether<Message>(
  part: InHand<Message>[],
  { type, handle, logger }: ConsumerOptions<Message>,
): Promise<'done' | 'away' | 'late' | 'failed'> {
  const spanOptions = {
    kind: SpanKind.CONSUMER,
    attributes: { 'messaging.system': 'nats', 'messaging.destination.name': type.subject },
  };
  const parents = part.map(({ event }) => event.traceparent);
  try {
    await inSpans(`process ${type.subject}`, spanOptions, parents, (traceparents) =>
      handle(part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] }))),
    );
  } catch (error) {
    const { code } = toAppError(error);
    const [first, ...others] = part;
    // Many may take too long where one does not.
    if (code === 'unavailable' || (code === 'deadline_exceeded' && others.length === 0)) {
      logger.warn({ err: error, events: part.length }, 'events cannot be taken now');
      return code === 'unavailable' ? 'away' : 'late';
    }
    if (first && others.length === 0) drop(first.raw, error, logger);
    else logger.warn({ err: error, events: part.length }, 'a batch of events failed');
    return 'failed';
  }
  for (const { raw } of part) raw.ack();
  return 'done';
}

/** Takes an event from the stream. It is not lost: its sender keeps it until it is held. */
function drop(raw: JsMsg, error: unknown, logger: Logger): void {
  const eventId = raw.headers?.get(eventIdHeader);
  const line = { err: error, eventId, subject: raw.subject, streamSequence: raw.seq };
  logger.error(line, 'an event cannot be taken and is dropped; its sender will send it again');
  raw.term();
}
