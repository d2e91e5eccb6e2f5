import type { EventType } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { type ErrorCode, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { idAttributes, idsOf } from '@parley/runtime/span-ids';
import { inSpans, SpanKind } from '@parley/runtime/telemetry';
import type { Kysely } from 'kysely';
import type { Inbox } from './inbox.ts';

/** A received event, with the trace context of its handling. */
export interface Received<Message> {
  id: string;
  type: EventType<Message>;
  message: Message;
  /** When the transaction that raised it began, by the clock of its database. */
  raisedAt: Date;
  traceparent: string | undefined;
}

/**
 * Records events as handled in the transaction of their effects: those with the given ids, or all. Returns the ids that
 * were not handled before. What the handler does not record is recorded after it.
 */
export type Take = <Tables>(trx: Kysely<Tables>, ids?: readonly string[]) => Promise<Set<string>>;

/** Handles events. Idempotent if its effects are in the transaction of `take`. */
export type Handle<Message> = (events: Received<Message>[], take: Take) => Promise<void>;

export interface HandlingOptions<Message, Tables> {
  db: Kysely<Tables>;
  logger: Logger;
  inbox: Inbox;
  types: readonly EventType<Message>[];
  handle: Handle<Message>;
}

/**
 * Handles what the inbox does not have, as one batch. Returns the ids to try again soon, and how many events were
 * handled or put aside before.
 *
 * - While a dependency is unavailable or rejects a credential, all of them are to be tried again.
 * - For any other error, the events are handled one by one, so that one invalid event does not block the others.
 * - An event that alone times out, or conflicts with a concurrent change (ABORTED), is tried again, for a minute.
 * - An event that cannot be decoded, or fails alone for another reason, is put aside with an error in the log.
 */
export type Handling = (
  events: readonly LoggedEvent[],
  options: {
    signal: AbortSignal;
    /** Whether they were put aside. Others that were are left alone. */
    wereAside?: boolean;
  },
) => Promise<{ again: Set<string>; repeated: number }>;

type Failure = 'unavailable' | 'late' | 'failed';

/** Errors of a dependency that affect every event: it is unavailable, or its credential is being rotated. */
const ofDependencies: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'unauthenticated',
  'permission_denied',
]);

/** The age up to which a conflict or a time-out of an event may pass by itself. */
const lateMsMax = 60_000;

interface Decoded<Message> {
  logged: LoggedEvent;
  event: Omit<Received<Message>, 'traceparent'>;
}

/** Returns the handling of a consumer. */
export function createHandling<Message, Tables>(options: HandlingOptions<Message, Tables>): Handling {
  const { inbox, logger } = options;
  const putAside = async (logged: LoggedEvent, error: unknown): Promise<void> => {
    const line = { err: error, eventId: logged.id, subject: logged.type, workspaceId: logged.workspaceId };
    logger.error(line, 'an event cannot be handled and is put aside; it will be tried again');
    await inbox.putAside(logged, error);
  };
  return async (events, { signal, wereAside = false }) => {
    const ids = new Set(events.map(({ id }) => id));
    const isNew = wereAside ? ids : await inbox.keepNew([...ids]);
    const repeated = events.length - isNew.size;
    const decoded: Decoded<Message>[] = [];
    for (const logged of events) {
      // Each once: the same event may be here twice.
      if (!isNew.delete(logged.id)) continue;
      try {
        decoded.push({ logged, event: decode(logged, options.types) });
      } catch (error) {
        await putAsideInSpan(logged, error, putAside);
      }
    }
    return { again: await handleNew(decoded, options, { putAside, signal }), repeated };
  };
}

async function handleNew<Message, Tables>(
  decoded: readonly Decoded<Message>[],
  options: HandlingOptions<Message, Tables>,
  parts: { putAside: PutAside; signal: AbortSignal },
): Promise<Set<string>> {
  if (decoded.length === 0) return new Set();
  const failure = await tryAll(decoded, options, parts.putAside);
  if (failure === undefined) return new Set();
  if (failure !== 'failed') return new Set(decoded.map(({ logged }) => logged.id));
  return decoded.length === 1 ? new Set() : oneByOne(decoded, options, parts);
}

async function oneByOne<Message, Tables>(
  decoded: readonly Decoded<Message>[],
  options: HandlingOptions<Message, Tables>,
  { putAside, signal }: { putAside: PutAside; signal: AbortSignal },
): Promise<Set<string>> {
  const again = new Set<string>();
  for (const [index, one] of decoded.entries()) {
    const failure = signal.aborted ? 'unavailable' : await tryAll([one], options, putAside);
    if (failure === 'late') again.add(one.logged.id);
    if (failure === 'unavailable') {
      for (const { logged } of decoded.slice(index)) again.add(logged.id);
      break;
    }
  }
  return again;
}

type PutAside = (logged: LoggedEvent, error: unknown) => Promise<void>;

/** Returns why the events were not handled. One that fails alone is put aside. */
async function tryAll<Message, Tables>(
  part: readonly Decoded<Message>[],
  { db, handle, inbox, logger }: HandlingOptions<Message, Tables>,
  putAside: PutAside,
): Promise<Failure | undefined> {
  const spans = part.map(({ logged, event }) => spanOf(logged, event.message));
  let failure: Failure | undefined;
  await inSpans(`process ${part[0]?.logged.type ?? ''}`, spans, async (traceparents) => {
    const events = part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] }));
    const all = events.map(({ id }) => id);
    const left = new Set(all);
    const take: Take = async (trx, ids = all) => {
      const fresh = await inbox.take(trx, ids);
      for (const id of ids) left.delete(id);
      return fresh;
    };
    try {
      await handle(events, take);
      if (left.size > 0) await take(db, [...left]);
    } catch (error) {
      // Logged inside the span, so that the line has its trace.
      failure = failureOf(error, part);
      const [alone, ...others] = part;
      const line = { err: error, events: part.length };
      if (failure !== 'failed') logger.warn(line, 'events cannot be handled now');
      else if (alone && others.length === 0) await putAside(alone.logged, error);
      else logger.warn(line, 'a batch of events failed');
      throw error;
    }
  }).catch((error: unknown) => {
    if (failure === undefined) throw error;
  });
  return failure;
}

function failureOf(error: unknown, [first, ...others]: readonly Decoded<unknown>[]): Failure {
  const { code } = toAppError(error);
  if (ofDependencies.has(code)) return 'unavailable';
  const isTransient = code === 'deadline_exceeded' || code === 'aborted';
  // A batch may time out where a single event does not, and one event with a conflict must not delay the others.
  if (!isTransient || !first || others.length > 0) return 'failed';
  return first.event.raisedAt.getTime() > Date.now() - lateMsMax ? 'late' : 'failed';
}

function decode<Message>(
  { id, type: subject, payload, raisedAt }: LoggedEvent,
  types: readonly EventType<Message>[],
): Omit<Received<Message>, 'traceparent'> {
  const type = types.find((one) => one.subject === subject);
  if (!type) throw new Error(`the consumer does not know the type ${subject}`);
  return { id, type, message: type.message.decode(payload), raisedAt: raisedAt ?? new Date() };
}

function spanOf({ type, id, workspaceId, traceparent }: LoggedEvent, message?: unknown) {
  return {
    kind: SpanKind.CONSUMER,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': type,
      'messaging.message.id': id,
      ...idAttributes({ ...idsOf(message), workspaceId }),
    },
    parent: traceparent || undefined,
  };
}

/** Puts an event aside that cannot be decoded. Its span ends with the error. */
async function putAsideInSpan(logged: LoggedEvent, error: unknown, putAside: PutAside): Promise<void> {
  let isAside = false;
  await inSpans(`process ${logged.type}`, [spanOf(logged)], async () => {
    await putAside(logged, error);
    isAside = true;
    throw error;
  }).catch((fault: unknown) => {
    if (!isAside) throw fault;
  });
}
