import type { EventType } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import {
  attempt,
  type Attempting,
  decode,
  type Decoded,
  decodeOrPutAside,
  type HandlingFailure,
} from './attempt.ts';
import type { Inbox } from './inbox.ts';
import type { WaitingEvent } from './shares.ts';

export interface HandlingOptions<Message, Tables> extends Attempting<Message, Tables> {
  inbox: Inbox;
  types: readonly EventType<Message>[];
  /**
   * Returns the ids of the events that the handler has to get. It must say the same at any later time: the others are
   * neither handled nor recorded, and are asked for again when they come again. Without it, or if it throws, the
   * handler gets all.
   */
  wants?: (events: readonly Decoded<Message>['event'][]) => Promise<ReadonlySet<string>>;
  /** Called when events begin to wait for a share. */
  onWaiting?: () => void;
}

/**
 * Handles what the inbox does not have.
 *
 * - Events of a workspace with older events that wait, wait behind them.
 * - While a dependency is unavailable or rejects a credential, all events are to be retried.
 * - A batch has a second. If it takes longer or fails, its workspaces are handled by two at a time, with a second each,
 *   and the events of one that fails one by one. So one workspace delays others by two seconds.
 * - Events that take longer wait, and their workspace is slow: it has shares beside the others', in which each event is
 *   handled alone.
 * - An event that alone times out, conflicts with a concurrent change (ABORTED) or finds its workspace busy waits with
 *   the events behind it, for a minute.
 * - An event that cannot be decoded, or fails alone for another reason, becomes a dead letter with an error line.
 */
export type Handling = (
  events: readonly (LoggedEvent & Partial<WaitingEvent>)[],
  options: {
    signal: AbortSignal;
    /** Where they are from. Dead letters and waiting events of the log are left alone. */
    from?: From;
  },
) => Promise<Handled>;

/** The log, a share, a share of a slow workspace, or dead letters. */
type From = 'log' | 'share' | 'slow' | 'aside';

interface Handled {
  /** The ids to retry soon. */
  again: Set<string>;
  waits: Set<string>;
  /** The workspaces whose events have conflicted or taken too long. */
  slow: Set<string>;
  /** How many events were handled or dead letters before. */
  repeated: number;
}

/** How long others wait for a batch, for each of its workspaces, and for a share. A slow one begins no event after. */
export const othersWaitMs = 1_000;
/** How long an event may take for which no others wait. */
const aloneMsMax = 10_000;
/** How many workspaces of a batch are handled beside each other. Less than half of the connections for writes. */
const placesMax = 2;

export function createHandling<Message, Tables>(options: HandlingOptions<Message, Tables>): Handling {
  const { inbox, types, onWaiting } = options;
  return async (all, { signal, from = 'log' }) => {
    if (all.length === 0) return { again: new Set(), waits: new Set(), slow: new Set(), repeated: 0 };
    const events = from === 'log' ? await keepWanted(all, options) : all;
    const ids = new Set(events.map(({ id }) => id));
    const isNew = from === 'log' ? await inbox.keepNew([...ids]) : ids;
    const repeated = events.length - isNew.size;
    const decoded: Decoded<Message>[] = [];
    for (const { hasWaitedLong = false, ...logged } of events) {
      // Each once: the same event may be here twice.
      if (!isNew.delete(logged.id)) continue;
      const event = await decodeOrPutAside(logged, types, options);
      if (event) decoded.push({ logged, mayWait: from !== 'aside' && !hasWaitedLong, event });
    }
    const workspaceIds = new Set(decoded.map(({ logged }) => logged.workspaceId));
    const waiting = from === 'log' ? await inbox.listWaiting([...workspaceIds]) : new Set<string>();
    const isBehind = ({ logged }: Decoded<Message>): boolean => waiting.has(logged.workspaceId);
    const left: Left = { again: new Set(), waits: new Set(), slow: new Set() };
    addIds(left.waits, decoded.filter(isBehind));
    await handleBatch(
      decoded.filter((one) => !isBehind(one)),
      { options, signal, from, left },
    );
    if (from === 'log' && left.waits.size > 0) {
      const waits = decoded.flatMap(({ logged }) => (left.waits.has(logged.id) ? logged : []));
      await inbox.wait(waits, left.slow);
      onWaiting?.();
    }
    return { ...left, repeated };
  };
}

/** Returns the events that the handler has to get, and those that cannot be decoded. */
async function keepWanted<Event extends LoggedEvent, Message, Tables>(
  events: readonly Event[],
  { types, wants }: HandlingOptions<Message, Tables>,
): Promise<readonly Event[]> {
  if (!wants) return events;
  const undecodable = new Set<string>();
  const decoded = events.flatMap((logged) => {
    try {
      return decode(logged, types);
    } catch {
      undecodable.add(logged.id);
      return [];
    }
  });
  // If one event cannot be judged, the handler is what fails: for that event alone.
  const wanted = decoded.length > 0 ? await wants(decoded).catch(() => undefined) : new Set();
  if (!wanted) return events;
  return events.filter(({ id }) => wanted.has(id) || undecodable.has(id));
}

/** What is left of the events. Parts add to it. */
type Left = Omit<Handled, 'repeated'>;

interface Batch<Message, Tables> {
  options: HandlingOptions<Message, Tables>;
  signal: AbortSignal;
  from: From;
  left: Left;
}

type Part<Message> = readonly Decoded<Message>[];

function addIds(to: Set<string>, part: Part<unknown>): void {
  for (const { logged } of part) to.add(logged.id);
}

/** Whether the events of other workspaces wait meanwhile. */
const delaysOthers = (from: From): boolean => from === 'log' || from === 'share';

/**
 * Handles events at once, and if that fails or takes too long, by workspace. Workspaces that do not begin within a
 * second wait for a share, so that workspaces of the next batch do not wait for all that hang.
 */
async function handleBatch<Message, Tables>(
  all: Part<Message>,
  batch: Batch<Message, Tables>,
): Promise<void> {
  const parts = [...Map.groupBy(all, ({ logged }) => logged.workspaceId).values()];
  if (parts.length > 1 && delaysOthers(batch.from)) {
    const failure = await tryAll(all, batch, othersWaitMs);
    if (failure === undefined) return;
    if (failure === 'unavailable') return addIds(batch.left.again, all);
  }
  const queue = parts.values();
  const endMs = performance.now() + othersWaitMs;
  const handleParts = async (): Promise<void> => {
    for (const part of queue)
      if (performance.now() < endMs) await handleOwn(part, batch);
      else addIds(batch.left.waits, part);
  };
  await Promise.all(Array.from({ length: placesMax }, handleParts));
}

/** Handles the events of one workspace: at once if others wait meanwhile, and if that fails, one by one. */
async function handleOwn<Message, Tables>(part: Part<Message>, batch: Batch<Message, Tables>): Promise<void> {
  const { left, signal, from } = batch;
  const endMs = performance.now() + othersWaitMs;
  const isHurried = delaysOthers(from);
  const leaveFrom = (index: number, failure: HandlingFailure | undefined): void => {
    const rest = part.slice(index);
    addIds(failure === 'unavailable' ? left.again : left.waits, rest);
    if (failure === 'late') for (const { logged } of rest) left.slow.add(logged.workspaceId);
  };
  // What was unavailable to another workspace is so to this one.
  if (left.again.size > 0) return leaveFrom(0, 'unavailable');
  if (part.length > 1 && isHurried) {
    const failure = await tryAll(part, batch, othersWaitMs);
    if (failure === undefined) return;
    if (failure !== 'failed') return leaveFrom(0, failure);
  }
  for (const [index, one] of part.entries()) {
    const restMs = endMs - performance.now();
    if (signal.aborted) return leaveFrom(index, 'unavailable');
    if (restMs <= 0 && index > 0) return leaveFrom(index, isHurried ? 'late' : undefined);
    const failure = await tryAll([one], batch, isHurried ? Math.max(1, restMs) : aloneMsMax);
    // What it waits for may hold up each event of the workspace as long.
    if (failure === 'unavailable' || failure === 'late') return leaveFrom(index, failure);
  }
}

async function tryAll<Message, Tables>(
  part: Part<Message>,
  { options, signal, from, left }: Batch<Message, Tables>,
  msMax: number,
): Promise<HandlingFailure | undefined> {
  const limits = { isShare: from !== 'log', msMax, delaysOthers: delaysOthers(from), signal };
  const { failure, waits } = await attempt(part, options, limits);
  if (failure === undefined) for (const id of waits) left.waits.add(id);
  return failure;
}
