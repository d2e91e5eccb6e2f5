import type { EventType } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { deadlineExceeded, type ErrorCode, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { idAttributes, idsOf } from '@parley/runtime/telemetry/span-ids';
import { inSpans, SpanKind } from '@parley/runtime/telemetry/telemetry';
import { inWork } from '@parley/runtime/scheduling/work';
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
 * Records events as handled in the transaction of their effects: the events with the given ids, or all. Returns the ids
 * that were not handled before. What the handler does not record is recorded after it.
 */
export type Take = <Tables>(trx: Kysely<Tables>, ids?: readonly string[]) => Promise<Set<string>>;

/** Whether events are a share, which of them have to wait for one, and when they have taken too long. */
export interface Share {
  /** Whether the events are the oldest of their workspace that wait: otherwise others wait for them. */
  isShare: boolean;
  /**
   * Leaves events for a share of their workspace. They must not be taken. With `mayPass`, later events of the workspace
   * may be handled before them.
   */
  leave(ids: readonly string[], options?: { mayPass: boolean }): void;
  /**
   * Passes events that are taken on to `handlePostponed` of the consumer, in the transaction that takes them. It gets
   * them in shares of their workspaces, and they hold up none of its other events.
   */
  postpone<Tables>(trx: Kysely<Tables>, ids: readonly string[]): Promise<void>;
  /** Returns which of these workspaces have postponed events, and when the first of each was raised. */
  postponedSince(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Aborts when the events have taken too long. Then statements of the handler are cancelled, and nothing is taken. */
  signal: AbortSignal;
}

/**
 * Handles events. Idempotent if its effects are in the transaction of `take`. Work for one workspace that would delay
 * others is left for its share.
 */
export type Handle<Message> = (events: Received<Message>[], take: Take, share: Share) => Promise<void>;

/** Why events were not handled. `late`: their workspace must not delay others by them. */
export type HandlingFailure = 'unavailable' | 'late' | 'failed';

/** Errors of a dependency that affect every event: it is unavailable, or its credential is being rotated. */
const ofDependencies: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'unauthenticated',
  'permission_denied',
]);

/** Errors of a single event that may pass by themselves. */
const transient: ReadonlySet<ErrorCode> = new Set(['deadline_exceeded', 'aborted', 'resource_exhausted']);

export interface Decoded<Message> {
  logged: LoggedEvent;
  /** Whether a conflict or a time-out may pass by itself. */
  mayWait: boolean;
  event: Omit<Received<Message>, 'traceparent'>;
}

export interface Attempting<Message, Tables> {
  db: Kysely<Tables>;
  logger: Logger;
  inbox: Pick<Inbox, 'take' | 'putAside'>;
  /** Where postponed events wait. */
  postponedTo?: { inbox: Pick<Inbox, 'wait' | 'waitingSince'>; onWaiting: () => void } | undefined;
  handle: Handle<Message>;
}

/** How long others wait at a time, unless everything is slow. */
export const othersWaitMs = 1_000;

interface Limits {
  isShare: boolean;
  /** After this time, what the handler does is cancelled, and nobody waits for its end. */
  msMax: number;
  /** Whether others wait for it. Events that take too long are then late, alone or not. */
  delaysOthers: boolean;
  /** Aborts when the consumer ends. Cancels what may take longer than others usually wait. */
  signal: AbortSignal;
}

/**
 * Passes events to the handler once. Returns why they were not handled, the ids of events that wait, and which of them
 * later ones may pass. An event that fails alone becomes a dead letter.
 */
export async function attempt<Message, Tables>(
  part: readonly Decoded<Message>[],
  { db, handle, inbox, logger, postponedTo }: Attempting<Message, Tables>,
  { isShare, ...limits }: Limits,
): Promise<{ failure: HandlingFailure | undefined; waits: Set<string>; passable: Set<string> }> {
  const spans = part.map(({ logged, event }) => spanOf(logged, event.message));
  let failure: HandlingFailure | undefined;
  let [waits, passable] = [new Set<string>(), new Set<string>()];
  await inSpans(`process ${part[0]?.logged.type ?? ''}`, spans, async (traceparents) => {
    const events = part.map(({ event }, index) => ({ ...event, traceparent: traceparents[index] }));
    const cut = new AbortController();
    const controls = controlsOf(part, { inbox, postponedTo }, cut.signal);
    const { take, share, untaken, end } = controls;
    ({ waits, passable } = controls);
    try {
      await within(limits, cut, async () => {
        await handle(events, take, { ...share, isShare });
        if (untaken.size > 0) await take(db, [...untaken]);
      });
    } catch (error) {
      // Logged inside the span, so that the line has its trace.
      failure = failureOf(error, part, { ...limits, isCut: cut.signal.aborted });
      const [alone, ...others] = part;
      const line = { err: error, events: part.length };
      if (failure !== 'failed') logger.warn(line, 'events cannot be handled now');
      else if (alone && others.length === 0) await putAside({ inbox, logger }, alone.logged, error);
      else logger.warn(line, 'a batch of events failed');
      throw error;
    } finally {
      end();
    }
  }).catch((error: unknown) => {
    if (failure === undefined) throw error;
  });
  return { failure, waits, passable };
}

/** What a handler does with its events. */
interface Controls {
  take: Take;
  share: Omit<Share, 'isShare'>;
  /** The ids of events that are neither taken nor left. */
  untaken: ReadonlySet<string>;
  waits: Set<string>;
  /** Which of them later events may pass. */
  passable: Set<string>;
  /** Call it when the handler has ended. */
  end: () => void;
}

function controlsOf(
  part: readonly Decoded<unknown>[],
  { inbox, postponedTo }: Pick<Attempting<never, never>, 'inbox' | 'postponedTo'>,
  signal: AbortSignal,
): Controls {
  const all = part.map(({ event }) => event.id);
  const [untaken, waits, passable] = [new Set(all), new Set<string>(), new Set<string>()];
  let hasPostponed = false;
  const required = (): NonNullable<typeof postponedTo> => {
    if (!postponedTo) throw new Error('the consumer handles no postponed events');
    return postponedTo;
  };
  return {
    take: async (trx, ids = all) => {
      signal.throwIfAborted();
      const fresh = await inbox.take(trx, ids);
      for (const id of ids) untaken.delete(id);
      return fresh;
    },
    share: {
      leave: (ids, { mayPass } = { mayPass: false }) => {
        for (const id of ids) {
          untaken.delete(id);
          waits.add(id);
          if (mayPass) passable.add(id);
        }
      },
      postpone: async (trx, ids) => {
        const those = new Set(ids);
        const events = part.filter(({ event }) => those.has(event.id)).map(({ logged }) => logged);
        if (events.length === 0) return;
        await required().inbox.wait(events, { trx });
        hasPostponed = true;
      },
      postponedSince: async (workspaceIds) => required().inbox.waitingSince(workspaceIds),
      signal,
    },
    untaken,
    waits,
    passable,
    end: () => {
      if (hasPostponed) postponedTo?.onWaiting();
    },
  };
}

/** Runs work of the process. When it takes too long, aborts it by `cut` and rejects with DEADLINE_EXCEEDED. */
async function within(
  { msMax, signal }: Pick<Limits, 'msMax' | 'signal'>,
  cut: AbortController,
  work: () => Promise<void>,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    const error = deadlineExceeded(new Error(`events were not handled within ${Math.ceil(msMax)} ms`));
    cut.abort(error);
    reject(error);
  };
  const timer = setTimeout(giveUp, msMax);
  if (msMax > othersWaitMs) signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([inWork({ tenant: '', signal: cut.signal }, work), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

function failureOf(
  error: unknown,
  [first, ...others]: readonly Decoded<unknown>[],
  { isCut, delaysOthers, signal }: Pick<Limits, 'delaysOthers' | 'signal'> & { isCut: boolean },
): HandlingFailure {
  const { code } = toAppError(error);
  if (isCut ? signal.aborted : ofDependencies.has(code)) return 'unavailable';
  if (isCut && delaysOthers) return 'late';
  const isTransient = isCut || transient.has(code);
  // A batch may time out where a single event does not, and one event with a conflict must not delay the others.
  return isTransient && first?.mayWait === true && others.length === 0 ? 'late' : 'failed';
}

async function putAside(
  { inbox, logger }: Pick<Attempting<never, never>, 'inbox' | 'logger'>,
  logged: LoggedEvent,
  error: unknown,
): Promise<void> {
  const line = { err: error, eventId: logged.id, subject: logged.type, workspaceId: logged.workspaceId };
  logger.error(line, 'an event cannot be handled and is put aside; it will be tried again');
  await inbox.putAside(logged, error);
}

/** Decodes an event. If that fails, makes it a dead letter in a span that ends with the error. Undefined then. */
export async function decodeOrPutAside<Message>(
  logged: LoggedEvent,
  types: readonly EventType<Message>[],
  to: Pick<Attempting<never, never>, 'inbox' | 'logger'>,
): Promise<Decoded<Message>['event'] | undefined> {
  try {
    return decode(logged, types);
  } catch (error) {
    let isAside = false;
    await inSpans(`process ${logged.type}`, [spanOf(logged)], async () => {
      await putAside(to, logged, error);
      isAside = true;
      throw error;
    }).catch((fault: unknown) => {
      if (!isAside) throw fault;
    });
    return undefined;
  }
}

/** Returns the event. Throws if its type is unknown or its payload is no message of it. */
export function decode<Message>(
  { id, type: subject, payload, raisedAt }: LoggedEvent,
  types: readonly EventType<Message>[],
): Decoded<Message>['event'] {
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
