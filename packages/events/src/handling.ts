import type { EventType } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { type ErrorCode, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { idAttributes, idsOf } from '@parley/runtime/telemetry/span-ids';
import { inSpans, SpanKind } from '@parley/runtime/telemetry/telemetry';
import type { Kysely } from 'kysely';
import type { Inbox } from './inbox.ts';
import type { WaitingEvent } from './turns.ts';

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

/** Whose turn it is, and what has to wait for one. */
export interface Turn {
  /** Whether the events are the oldest of their workspace that wait: otherwise others wait for them. */
  isTurn: boolean;
  /** The workspaces with older events that wait. Empty in a turn. */
  waiting: ReadonlySet<string>;
  /** Leaves events for a turn of their workspace. They must not be taken. */
  leave(ids: readonly string[]): void;
}

/**
 * Handles events. Idempotent if its effects are in the transaction of `take`. Work for one workspace that would delay
 * others is left for its turn.
 */
export type Handle<Message> = (events: Received<Message>[], take: Take, turn: Turn) => Promise<void>;

export interface HandlingOptions<Message, Tables> {
  db: Kysely<Tables>;
  logger: Logger;
  inbox: Inbox;
  types: readonly EventType<Message>[];
  handle: Handle<Message>;
  /** Called when events begin to wait for a turn. */
  onWaiting?: () => void;
}

/**
 * Handles what the inbox does not have, as one batch.
 *
 * - While a dependency is unavailable or rejects a credential, all of them are to be tried again.
 * - For any other error, the events are handled by workspace, and then one by one, so that one invalid event does not
 *   block the others.
 * - An event that alone times out, conflicts with a concurrent change (ABORTED) or finds its workspace busy waits for a
 *   turn of its workspace with those behind it, for a minute.
 * - An event that cannot be decoded, or fails alone for another reason, is put aside with an error in the log.
 */
export type Handling = (
  events: readonly (LoggedEvent & Partial<WaitingEvent>)[],
  options: {
    signal: AbortSignal;
    /** Where they are from. Those of the log that are aside or wait are left alone. */
    from?: 'log' | 'aside' | 'turn';
  },
) => Promise<Handled>;

interface Handled {
  /** The ids to try again soon. */
  again: Set<string>;
  /** The ids of the events that wait. */
  waits: Set<string>;
  /** How many events were handled or put aside before. */
  repeated: number;
}

type Failure = 'unavailable' | 'late' | 'failed';

/** Errors of a dependency that affect every event: it is unavailable, or its credential is being rotated. */
const ofDependencies: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'unauthenticated',
  'permission_denied',
]);

interface Decoded<Message> {
  logged: LoggedEvent;
  /** Whether a conflict or a time-out may pass by itself. */
  mayWait: boolean;
  event: Omit<Received<Message>, 'traceparent'>;
}

/** Errors of a single event that may pass by themselves. */
const transient: ReadonlySet<ErrorCode> = new Set(['deadline_exceeded', 'aborted', 'resource_exhausted']);

/** Returns the handling of a consumer. */
export function createHandling<Message, Tables>(options: HandlingOptions<Message, Tables>): Handling {
  const { inbox, logger, onWaiting } = options;
  const putAside = async (logged: LoggedEvent, error: unknown): Promise<void> => {
    const line = { err: error, eventId: logged.id, subject: logged.type, workspaceId: logged.workspaceId };
    logger.error(line, 'an event cannot be handled and is put aside; it will be tried again');
    await inbox.putAside(logged, error);
  };
  return async (events, { signal, from = 'log' }) => {
    const ids = new Set(events.map(({ id }) => id));
    const isNew = from === 'log' ? await inbox.keepNew([...ids]) : ids;
    const repeated = events.length - isNew.size;
    const decoded: Decoded<Message>[] = [];
    for (const { hasWaitedLong = false, ...logged } of events) {
      // Each once: the same event may be here twice.
      if (!isNew.delete(logged.id)) continue;
      try {
        const mayWait = from !== 'aside' && !hasWaitedLong;
        decoded.push({ logged, mayWait, event: decode(logged, options.types) });
      } catch (error) {
        await putAsideInSpan(logged, error, putAside);
      }
    }
    const workspaceIds = new Set(decoded.map(({ logged }) => logged.workspaceId));
    const waiting = from === 'log' ? await inbox.listWaiting([...workspaceIds]) : new Set<string>();
    const { again, waits } = await handleNew(decoded, options, {
      putAside,
      signal,
      waiting,
      isTurn: from !== 'log',
    });
    if (from === 'log' && waits.size > 0) {
      await inbox.wait(decoded.flatMap(({ logged }) => (waits.has(logged.id) ? logged : [])));
      onWaiting?.();
    }
    return { again, waits, repeated };
  };
}

interface Parts extends Pick<Turn, 'isTurn' | 'waiting'> {
  putAside: PutAside;
  signal: AbortSignal;
}

/** What is left of a part. `isLate`: its event has conflicted or timed out. */
type Left = Pick<Handled, 'again' | 'waits'> & { isLate?: boolean };

async function handleNew<Message, Tables>(
  decoded: readonly Decoded<Message>[],
  options: HandlingOptions<Message, Tables>,
  parts: Parts,
): Promise<Left> {
  const none = new Set<string>();
  if (decoded.length === 0) return { again: none, waits: none };
  const all = new Set(decoded.map(({ logged }) => logged.id));
  const { failure, waits } = await tryAll(decoded, options, parts);
  if (failure === undefined) return { again: none, waits };
  if (failure === 'unavailable') return { again: all, waits: none };
  if (decoded.length === 1) return { again: none, waits: failure === 'late' ? all : none, isLate: true };
  const byWorkspace = [...Map.groupBy(decoded, ({ logged }) => logged.workspaceId).values()];
  return byWorkspace.length > 1
    ? handleParts(byWorkspace, options, parts)
    : handleParts(
        decoded.map((one) => [one]),
        options,
        parts,
      );
}

/** Handles parts of a batch one after another: the workspaces, or the events of one. */
async function handleParts<Message, Tables>(
  all: readonly (readonly Decoded<Message>[])[],
  options: HandlingOptions<Message, Tables>,
  parts: Parts,
): Promise<Left> {
  const again = new Set<string>();
  const waits = new Set<string>();
  const addRest = (to: Set<string>, after: number): void => {
    for (const { logged } of all.slice(after).flat()) to.add(logged.id);
  };
  for (const [index, part] of all.entries()) {
    const left = parts.signal.aborted ? undefined : await handleNew(part, options, parts);
    if (!left || left.again.size > 0) {
      addRest(again, index);
      break;
    }
    for (const id of left.waits) waits.add(id);
    // What it waits for may hold up each event of the workspace as long.
    if (left.isLate && left.waits.size > 0) {
      addRest(waits, index + 1);
      break;
    }
  }
  return { again, waits };
}

type PutAside = (logged: LoggedEvent, error: unknown) => Promise<void>;

/** Returns why the events were not handled, or those that wait. One that fails alone is put aside. */
async function tryAll<Message, Tables>(
  part: readonly Decoded<Message>[],
  { db, handle, inbox, logger }: HandlingOptions<Message, Tables>,
  { putAside, isTurn, waiting }: Parts,
): Promise<{ failure: Failure | undefined; waits: Set<string> }> {
  const spans = part.map(({ logged, event }) => spanOf(logged, event.message));
  const waits = new Set<string>();
  let failure: Failure | undefined;
  await inSpans(`process ${part[0]?.logged.type ?? ''}`, spans, async (traceparents) => {
    const events = part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] }));
    const all = events.map(({ id }) => id);
    const untaken = new Set(all);
    const take: Take = async (trx, ids = all) => {
      const fresh = await inbox.take(trx, ids);
      for (const id of ids) untaken.delete(id);
      return fresh;
    };
    const leave = (ids: readonly string[]): void => {
      for (const id of ids) {
        untaken.delete(id);
        waits.add(id);
      }
    };
    try {
      await handle(events, take, { isTurn, waiting, leave });
      if (untaken.size > 0) await take(db, [...untaken]);
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
  return { failure, waits };
}

function failureOf(error: unknown, [first, ...others]: readonly Decoded<unknown>[]): Failure {
  const { code } = toAppError(error);
  if (ofDependencies.has(code)) return 'unavailable';
  const isTransient = transient.has(code);
  // A batch may time out where a single event does not, and one event with a conflict must not delay the others.
  return isTransient && first?.mayWait === true && others.length === 0 ? 'late' : 'failed';
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
