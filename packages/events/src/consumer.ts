import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { type EventType, isRaisedBy, stream } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import { type Source, startCatchUp } from './catch-up.ts';
import type { Handle } from './attempt.ts';
import { createHandling, type Handling, othersWaitMs } from './handling.ts';

export type { Handle, Received, Take, Turn } from './attempt.ts';
import { type Inbox, inboxOf } from './inbox.ts';
import { keepHandledDays } from './handled-days.ts';
import { observeConsumer, repeatedEvents } from './metrics.ts';
import type { Broker } from './nats.ts';
import { ackWaitMs, declareDurable, headerNames, isAhead } from './stream.ts';
import { turnEventsMax } from './turns.ts';

interface ConsumerOptions<Message, Tables> {
  broker: Broker;
  logger: Logger;
  /** The database of the service, with the tables of `createInbox` and `extendInbox`. */
  db: Kysely<Tables>;
  /** The name of the durable. The replicas of a service share it and thereby the work. */
  durable: string;
  types: readonly EventType<Message>[];
  /** The services that raise these types. */
  sources: readonly Source[];
  /** Where a new consumer begins: with what is raised from now on, or with all that the logs still have. */
  from: 'now' | 'beginning';
  handle: Handle<Message>;
}

const batchMax = 100;
const retryMs = 1_000;
const checkMs = 5_000;
const asideMs = 30_000;
const turnsMs = 1_000;
/** How long a workspace waits whose events could not be handled in its turn. */
const stuckMs = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Passes each event to `handle` at least once, in batches and in no order. Once, if the effects of `handle` are in the
 * transaction of its `take`. New events come from the stream, all that is missing from the logs (`startCatchUp`), and
 * what could not be handled, or waits for a turn of its workspace, from the service's own tables (`handling.ts`).
 * Disposing waits for what is in progress.
 * Throws for a type without a source, and for a source without a type.
 */
export function startConsumer<Message, Tables>(options: ConsumerOptions<Message, Tables>): AsyncDisposable {
  const { broker, db, durable, logger, types, sources, from } = options;
  const inbox = inboxOf(db, durable);
  const onWaiting = (): void => {
    turns.wake();
    slowTurns.wake();
  };
  const handling = createHandling({ ...options, inbox, onWaiting });
  const subjects = types.map(({ subject }) => subject);
  const sourceNames = sources.map(({ name }) => name);
  for (const subject of subjects)
    if (!sourceNames.some((name) => isRaisedBy(name, subject)))
      throw new Error(`no source raises ${subject}`);
  for (const name of sourceNames)
    if (!subjects.some((subject) => isRaisedBy(name, subject)))
      throw new Error(`${name} raises none of the types`);
  // Otherwise it could lose an event that is raised after one that it has handled, but before its cursor.
  const hasBegun = async () => from === 'beginning' || inbox.hasBegun(sourceNames);
  const parts: Parts = { broker, logger, durable, subjects, inbox, handling, hasBegun };
  const stack = new AsyncDisposableStack();
  const turns = stack.use(startTurns(parts, 'turn'));
  const slowTurns = stack.use(startTurns(parts, 'slow'));
  stack.use(startReceiving(parts));
  stack.use(startChecking(parts));
  const catchUps = sources.map((source) => {
    const own = subjects.filter((subject) => isRaisedBy(source.name, subject));
    return { source, ...stack.use(startCatchUp({ ...parts, source, subjects: own, from })) };
  });
  stack.use(startRetrying(parts));
  stack.use(
    repeat('forget handled events', 60_000, logger, async () => {
      await keepHandledDays(db);
      const kept = await inbox.keptSince(sourceNames);
      // Later, because the log drops whole days, and clocks differ.
      return kept !== undefined && inbox.forgetBefore(new Date(kept.getTime() - 2 * dayMs));
    }),
  );
  stack.use(observeConsumer({ broker, durable, inbox, catchUps }));
  return stack;
}

interface Parts {
  broker: Broker;
  logger: Logger;
  durable: string;
  subjects: readonly string[];
  inbox: Inbox;
  handling: Handling;
  /** Returns whether the catch-up has what the stream may lose from now on. */
  hasBegun(): Promise<boolean>;
}

/**
 * Handles the messages of the stream. A batch has all that arrived while the previous one was handled. The durable is
 * created again when it is missing, and the subscription when it gets no heartbeats.
 */
function startReceiving(parts: Parts): Schedule {
  const { durable, logger } = parts;
  return repeat(`consume ${durable}`, retryMs, logger, async (signal) => {
    if (!(await parts.hasBegun())) return;
    const waiting: JsMsg[] = [];
    let batch: JsMsg[] = [];
    let arrival = Promise.withResolvers<void>();
    const messages = await subscribe(parts, signal, (message) => {
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

/** Uses a callback, because the iterator's count of received messages is wrong after a pull. */
async function subscribe(
  { broker, logger, subjects, durable }: Parts,
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
  { durable, handling, logger, subjects }: Parts,
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

/** Deletes a durable that skips events. It is then created again. */
function startChecking({ broker, logger, durable }: Parts): Schedule {
  return repeat(`check durable ${durable}`, checkMs, logger, async (signal) => {
    const { manager } = await broker.streams(signal);
    if (!(await isAhead(manager, durable))) return;
    logger.warn({ durable }, 'the broker has lost events and skips new ones');
    await manager.consumers.delete(stream.name, durable);
  });
}

/** Retries dead letters. If there is no time for one, it is due again after a minute. */
function startRetrying({ inbox, handling, logger }: Parts): Schedule {
  return repeat('handle events that were put aside', asideMs, logger, async (signal) => {
    const claimed = await inbox.claimAside(batchMax);
    await handling(claimed, { signal, from: 'aside' });
    return claimed.length === batchMax;
  });
}

/**
 * Handles the events that wait: one workspace after another. Workspaces whose turns take long have turns of their own
 * beside the others, so these wait for one turn of each at most.
 */
function startTurns({ inbox, handling, logger }: Parts, from: 'turn' | 'slow'): Schedule {
  return repeat(`handle events in turn: ${from}`, turnsMs, logger, async (signal) => {
    const turn = await inbox.claimTurn(from === 'slow');
    if (!turn) return false;
    const { workspaceId, events } = turn;
    const startedAtMs = performance.now();
    const failed = { pauseMs: stuckMs, isSlow: from === 'slow' };
    const { again, waits, slow } = await handling(events, { signal, from }).catch(async (error: unknown) => {
      await inbox.endTurn(workspaceId, failed);
      throw error;
    });
    const isSlow = slow.size > 0 || performance.now() - startedAtMs > othersWaitMs;
    const isStuck = again.size + waits.size === events.length && (from === 'slow' || !isSlow);
    // Others behind a page that waits may go on. Behind the last page, all are retried.
    const after = isStuck && events.length === turnEventsMax ? events.at(-1)?.id : undefined;
    await inbox.endTurn(workspaceId, { pauseMs: isStuck && !after ? stuckMs : 0, after, isSlow });
    return again.size === 0;
  });
}
