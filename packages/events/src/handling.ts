import type { EventType } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import {
  attempt,
  type Attempting,
  decode,
  type Decoded,
  decodeOrPutAside,
  type HandlingFailure,
  othersWaitMs,
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
  /** How long the first event of a batch waits for others at most. Default: 0. */
  gatherMs?: number;
}

/**
 * Handles what the inbox does not have.
 *
 * - Events of a workspace with older events that wait, or were postponed, wait behind them.
 * - In a batch of the log that is late, the workspace with more than half of the events waits, unless it is alone. So
 *   very many events of one do not delay others.
 * - While a dependency is unavailable or rejects a credential, all events are to be retried.
 * - A batch has a second. If it takes longer, its workspaces are handled alone, two at a time, with a second each. So
 *   one workspace delays others by two seconds.
 * - If most workspaces cannot be handled alone in that time, no workspace is the reason: everything is slow. Then the
 *   others are handled as one batch again, and all limits are doubled, up to four seconds. They are halved again when
 *   events are handled in a twentieth of the limit.
 * - A batch that fails is handled in halves, and the events of a workspace that fails one by one.
 * - Events that take longer wait, and their workspace is slow: it has shares beside the others'. All events of one have
 *   a quarter of the longest wait among them, from one second to ten. If that is too little, the first has as
 *   much again, alone.
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
  /** Which of them later events of their workspace may pass. */
  passable: Set<string>;
  /** The workspaces whose events have conflicted or taken too long, or whose share has. */
  slow: Set<string>;
  /** How many events were handled or dead letters before. */
  repeated: number;
}

/** How long events may take at most for which no others wait. */
const aloneMsMax = 10_000;
/** Which part of their wait the events of a slow share may take, so that the first shares that hang are short. */
const waitedPart = 1 / 4;
/** How long an event waits that conflicts or takes too long. */
const waitMsMax = 60_000;
/** After this time, what is left of a batch waits. Another replica reads the log 15 seconds after a batch began. */
const batchMsMax = 10_000;
/** The most that others wait at a time while everything is slow. */
const slowWaitMsMax = 4_000;
/** Which part of the limit shows that not everything is slow. */
const quickPart = 1 / 20;
/** How many events of a late batch a workspace has at least that waits. */
const crowdMin = 20;

export function createHandling<Message, Tables>(options: HandlingOptions<Message, Tables>): Handling {
  const { inbox, types, onWaiting, gatherMs = 0 } = options;
  const pace: Pace = { othersWaitMs };
  return async (all, { signal, from = 'log' }) => {
    const startedAtMs = performance.now();
    const left: Left = { again: new Set(), waits: new Set(), passable: new Set(), slow: new Set() };
    const events = from === 'log' ? await keepWanted(all, options) : all;
    if (events.length === 0) return { ...left, repeated: 0 };
    const ids = new Set(events.map(({ id }) => id));
    const workspaceIds = new Set(events.map(({ workspaceId }) => workspaceId));
    const [isNew, waiting] =
      from === 'log'
        ? await Promise.all([inbox.keepNew([...ids]), inbox.listWaiting([...workspaceIds])])
        : [ids, new Set<string>()];
    const repeated = events.length - isNew.size;
    const decoded: Decoded<Message>[] = [];
    for (const { waitedMs = 0, ...logged } of events) {
      // Each once: the same event may be here twice.
      if (!isNew.delete(logged.id)) continue;
      const event = await decodeOrPutAside(logged, types, options);
      if (event) decoded.push({ logged, mayWait: from !== 'aside' && waitedMs < waitMsMax, event });
    }
    const longestMs = Math.max(...events.map(({ waitedMs = 0 }) => waitedMs));
    const ofSlowMs = Math.min(aloneMsMax, Math.max(othersWaitMs, longestMs * waitedPart));
    const aloneMs = from === 'slow' ? ofSlowMs : aloneMsMax;
    const isBehind = ({ logged }: Decoded<Message>): boolean => waiting.has(logged.workspaceId);
    const present = decoded.filter((one) => !isBehind(one));
    const crowd = from === 'log' ? crowdOf(present, othersWaitMs + gatherMs) : [];
    addIds(left.waits, [...decoded.filter(isBehind), ...crowd]);
    await handleBatch(
      present.filter((one) => !crowd.includes(one)),
      { options, signal, from, left, pace, aloneMs },
    );
    const isLate = performance.now() - startedAtMs > pace.othersWaitMs;
    if (isShare(from) && isLate) for (const id of workspaceIds) left.slow.add(id);
    if (from === 'log' && left.waits.size > 0) {
      const waits = decoded.flatMap(({ logged }) => (left.waits.has(logged.id) ? logged : []));
      await inbox.wait(waits, { slow: left.slow });
      onWaiting?.();
    }
    return { ...left, repeated };
  };
}

/** Returns the events of the workspace that delays others, if the oldest event of the batch is this old. */
function crowdOf<Message>(batch: Part<Message>, lateMs: number): Part<Message> {
  const byWorkspace = [...Map.groupBy(batch, ({ logged }) => logged.workspaceId).values()];
  const isLate = batch.some(({ event }) => Date.now() - event.raisedAt.getTime() > lateMs);
  if (!isLate || byWorkspace.length < 2) return [];
  return byWorkspace.find(({ length }) => length >= crowdMin && length > batch.length / 2) ?? [];
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

/** How fast events are handled. All calls of a handling share it. */
interface Pace {
  /** How long others wait for a batch, each of its workspaces, and a share. A slow share begins no event after it. */
  othersWaitMs: number;
}

interface Batch<Message, Tables> {
  options: HandlingOptions<Message, Tables>;
  signal: AbortSignal;
  from: From;
  left: Left;
  pace: Pace;
  /** How long events may take for which no others wait. */
  aloneMs: number;
}

/** Events of one workspace, or of several. */
type Part<Message> = readonly Decoded<Message>[];
/** The events of workspaces that are handled at once. */
type Piece<Message> = readonly Part<Message>[];

function addIds(to: Set<string>, part: Part<unknown>): void {
  for (const { logged } of part) to.add(logged.id);
}

/** Whether the events of other workspaces wait meanwhile. */
const delaysOthers = (from: From): boolean => from === 'log' || from === 'share';

/** Whether the events are the oldest that wait of one workspace. */
const isShare = (from: From): boolean => from === 'share' || from === 'slow';

/** Handles events at once. Events that cannot be handled so are handled in ever smaller pieces. */
async function handleBatch<Message, Tables>(
  all: Part<Message>,
  batch: Batch<Message, Tables>,
): Promise<void> {
  const endMs = performance.now() + batchMsMax;
  const parts = [...Map.groupBy(all, ({ logged }) => logged.workspaceId).values()];
  let pieces: Piece<Message>[] = delaysOthers(batch.from) ? [parts] : parts.map((part) => [part]);
  while (pieces.length > 0 && performance.now() < endMs) pieces = await handlePieces(pieces, batch);
  addIds(batch.left.waits, pieces.flat(2));
}

/**
 * Handles pieces, two at a time: less than half of the connections for writes. Returns the pieces that are next. Pieces
 * that do not begin in time wait for a share. If everything is slow, they are next, as one piece.
 */
async function handlePieces<Message, Tables>(
  pieces: readonly Piece<Message>[],
  batch: Batch<Message, Tables>,
): Promise<Piece<Message>[]> {
  const { left, from, pace } = batch;
  const { othersWaitMs: msMax } = pace;
  const endMs = performance.now() + msMax;
  const slowBefore = left.slow.size;
  const queue = [...pieces];
  const next: Piece<Message>[] = [];
  const handleNext = async (dequeue: () => Piece<Message> | undefined): Promise<void> => {
    while (performance.now() < endMs) {
      const piece = dequeue();
      if (!piece) return;
      next.push(...(await handlePiece(piece, batch)));
    }
  };
  // From both ends: neighbours that hang take one of the two places.
  await Promise.all([handleNext(() => queue.shift()), handleNext(() => queue.pop())]);
  const rest = queue.flat();
  const late = left.slow.size - slowBefore;
  if (pieces.length > 1 && delaysOthers(from) && queue.length + late > pieces.length / 2) {
    pace.othersWaitMs = Math.min(2 * msMax, slowWaitMsMax);
    if (rest.length > 0) next.push(rest);
  } else addIds(left.waits, rest.flat());
  return next;
}

/** Handles a piece. Returns smaller ones if it cannot be handled at once. */
async function handlePiece<Message, Tables>(
  piece: Piece<Message>,
  batch: Batch<Message, Tables>,
): Promise<Piece<Message>[]> {
  const { left, signal, pace } = batch;
  const [part = [], ...others] = piece;
  const all = piece.flat();
  // What was unavailable to another workspace is so to these.
  if (left.again.size > 0 || signal.aborted) addIds(left.again, all);
  else if (others.length === 0) await handleOwn(part, batch);
  else {
    const failure = await tryAll(all, batch, pace.othersWaitMs);
    if (failure === 'late') return piece.map((own) => [own]);
    const middle = Math.ceil(piece.length / 2);
    if (failure === 'failed') return [piece.slice(0, middle), piece.slice(middle)];
    if (failure === 'unavailable') addIds(left.again, all);
  }
  return [];
}

/** Handles the events of one workspace: at once, and if that fails, one by one. Dead letters one by one. */
async function handleOwn<Message, Tables>(part: Part<Message>, batch: Batch<Message, Tables>): Promise<void> {
  const { left, signal, from, pace, aloneMs } = batch;
  const endMs = performance.now() + pace.othersWaitMs;
  const isHurried = delaysOthers(from);
  const leaveFrom = (index: number, failure: HandlingFailure | undefined): void => {
    const rest = part.slice(index);
    addIds(failure === 'unavailable' ? left.again : left.waits, rest);
    if (failure === 'late') for (const { logged } of rest) left.slow.add(logged.workspaceId);
  };
  if (part.length > 1 && from !== 'aside') {
    const failure = await tryAll(part, batch, isHurried ? pace.othersWaitMs : aloneMs);
    if (failure === undefined) return;
    if (failure !== 'failed') return leaveFrom(0, failure);
  }
  for (const [index, one] of part.entries()) {
    const restMs = endMs - performance.now();
    if (signal.aborted) return leaveFrom(index, 'unavailable');
    if (restMs <= 0 && index > 0) return leaveFrom(index, isHurried ? 'late' : undefined);
    const failure = await tryAll([one], batch, isHurried ? Math.max(1, restMs) : aloneMs);
    // What it waits for may hold up each event of the workspace as long.
    if (failure === 'unavailable' || failure === 'late') return leaveFrom(index, failure);
  }
}

async function tryAll<Message, Tables>(
  part: Part<Message>,
  { options, signal, from, left, pace }: Batch<Message, Tables>,
  msMax: number,
): Promise<HandlingFailure | undefined> {
  const startedAtMs = performance.now();
  const limits = { isShare: from !== 'log', msMax, delaysOthers: delaysOthers(from), signal };
  const { failure, waits, passable } = await attempt(part, options, limits);
  if (failure !== undefined) return failure;
  for (const id of waits) left.waits.add(id);
  for (const id of passable) left.passable.add(id);
  const isQuick = performance.now() - startedAtMs < pace.othersWaitMs * quickPart;
  if (isQuick) pace.othersWaitMs = Math.max(othersWaitMs, pace.othersWaitMs / 2);
  return undefined;
}
