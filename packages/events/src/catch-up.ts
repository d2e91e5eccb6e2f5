import type { EventLogServiceService, LoggedEvent } from '@parley/contracts/events/v1/log';
import type { Held } from '@parley/postgres/lease';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { v7 as uuidv7 } from 'uuid';
import type { Handling } from './handling.ts';
import type { Inbox } from './inbox.ts';
import { placeOf } from './log.ts';
import type { Broker } from './nats.ts';
import { oldestPending } from './stream.ts';

/** A service that raises events. */
export interface Source {
  /** Its name: the second part of the subjects of its events. */
  name: string;
  /** Its log: over RPC, or of this service itself. */
  log: Pick<RpcClient<EventLogServiceService>, 'listEvents'>;
}

interface CatchUpOptions {
  broker: Broker;
  logger: Logger;
  durable: string;
  inbox: Inbox;
  source: Source;
  subjects: readonly string[];
  /** Where a new consumer begins. */
  from: 'now' | 'beginning';
  handling: Handling;
}

const pollMs = 5_000;
/** How long an event may take from being raised to being handled. */
const graceMs = 10_000;
/** As `graceMs`, while the stream cannot be read: it delivers nothing for which to wait. */
const graceWithoutStreamMs = 2_000;
/** At this age an event comes from the log, whatever the stream has still to deliver. */
const overdueMs = 60_000;
/** How often it is recorded what the log still has, while there are no events. */
const keptMs = 60_000;

export interface CatchUp extends Schedule {
  /**
   * The age of the oldest event that is overdue in seconds; 0 without one. While the log cannot be read, it rises.
   * Undefined if another replica catches up.
   */
  behindSeconds(): number | undefined;
}

/**
 * Reads the log of a source behind the stream, and hands over what the inbox does not have: what was raised before the
 * consumer, while it was away, and what the broker has lost. So nothing depends on the broker's memory. For a minute,
 * it leaves to the stream what that has still to deliver. One replica does this at a time. An event that the broker
 * loses is handled within 20 seconds.
 */
export function startCatchUp(options: CatchUpOptions): CatchUp {
  const { logger, inbox, source, subjects, from, handling } = options;
  const replica = uuidv7();
  const types = [...subjects];
  const lateness = createLateness();
  const isNews = createKeptWatch();
  const list = (after: string, fromNow: boolean, signal: AbortSignal) =>
    source.log.listEvents({ after, types, limit: 0, fromNow }, { requestId: uuidv7(), signal });

  const begin = async (held: Held, signal: AbortSignal): Promise<void> => {
    const start = from === 'now' ? await list('', true, signal) : { cursor: '', now: null };
    // An event whose transaction has begun already is committed later, as a rule within that time.
    const beganAt = start.now && new Date(start.now.getTime() - graceMs);
    await inbox.beginCursor(source.name, held, { cursor: start.cursor, beganAt });
  };
  const readPage = async (signal: AbortSignal): Promise<boolean> => {
    const claimed = await inbox.claimCursor(source.name, replica);
    if (!claimed) {
      lateness.set(undefined);
      return false;
    }
    if (lateness.seconds() === undefined) lateness.set(0);
    if (claimed.cursor === null) {
      await begin(claimed, signal);
      return true;
    }
    const beganAtMs = claimed.beganAt?.getTime() ?? 0;
    const pending = await pendingOf(options, signal);
    const page = await list(claimed.cursor, false, signal);
    const nowMs = page.now?.getTime() ?? 0;
    const passed = await passEvents(page.events, {
      after: placeOf(claimed.cursor)?.position ?? 0,
      ...pending,
      beganAtMs,
      nowMs,
      handling,
      signal,
    });
    const isWhole = passed.length === page.events.length;
    const cursor = isWhole ? page.cursor : (passed.at(-1)?.cursor ?? claimed.cursor);
    if (cursor !== claimed.cursor || isNews(page.keptSince))
      await inbox.moveCursor(source.name, claimed, { cursor, keptSince: page.keptSince });
    const next = page.events[passed.length];
    const ageMs = nowMs - (next?.raisedAt?.getTime() ?? nowMs);
    lateness.set(ageMs > graceMs ? ageMs / 1_000 : 0);
    return isWhole && page.hasMore;
  };
  const schedule = repeat(`catch up with ${source.name}`, pollMs, logger, (signal) =>
    lateness.during(() => readPage(signal)),
  );
  return {
    ...schedule,
    behindSeconds: lateness.seconds,
    [Symbol.asyncDispose]: async () => {
      await schedule[Symbol.asyncDispose]();
      // Otherwise another replica waits until it may take over.
      await inbox.releaseCursor(source.name, replica).catch(() => {});
    },
  };
}

/** Returns a function that says once a minute, the first time at once, that what the log has kept is to be recorded. */
function createKeptWatch() {
  let nextMs = 0;
  return (keptSince: Date | null): boolean => {
    const ms = keptSince?.getTime() ?? 0;
    if (ms < nextMs) return false;
    nextMs = ms + keptMs;
    return true;
  };
}

/** Returns how far a catch-up is behind, in seconds, once it is set. While its runs fail, it rises. */
function createLateness() {
  let behind: number | undefined;
  let failingSinceMs: number | undefined;
  return {
    set: (seconds: number | undefined): void => {
      behind = seconds;
    },
    during: async <Result>(run: () => Promise<Result>): Promise<Result> => {
      try {
        const result = await run();
        failingSinceMs = undefined;
        return result;
      } catch (error) {
        failingSinceMs ??= performance.now();
        throw error;
      }
    },
    seconds: (): number | undefined =>
      behind === undefined || failingSinceMs === undefined
        ? behind
        : behind + (performance.now() - failingSinceMs) / 1_000,
  };
}

/** Hands over the first events, up to one that the stream may still deliver. Returns the events that are finished. */
async function passEvents(events: readonly LoggedEvent[], pass: Passing): Promise<readonly LoggedEvent[]> {
  const { after, before, waitMs, beganAtMs, nowMs, handling, signal } = pass;
  // What the stream still has from before the cursor, as after an outage, says nothing about later events.
  const streamed = before === undefined || before <= after ? Number.POSITIVE_INFINITY : before;
  const isDue = ({ raisedAt, position }: LoggedEvent): boolean => {
    const ageMs = nowMs - (raisedAt?.getTime() ?? 0);
    return ageMs > overdueMs || (ageMs > waitMs && position < streamed);
  };
  const end = events.findIndex((event) => !isDue(event));
  const due = end < 0 ? events : events.slice(0, end);
  // A log that was restored is read from its beginning.
  const wanted = due.filter(({ raisedAt }) => (raisedAt?.getTime() ?? 0) >= beganAtMs);
  const { again } = await handling(wanted, { signal });
  const stop = due.findIndex(({ id }) => again.has(id));
  return stop < 0 ? due : due.slice(0, stop);
}

/** What the stream may still deliver. */
interface Pending {
  /** The place from which on it delivers. */
  before: number | undefined;
  /** How long an event is left to it. */
  waitMs: number;
}

interface Passing extends Pending {
  /** The place of the cursor. */
  after: number;
  /** Since when events are wanted. */
  beganAtMs: number;
  nowMs: number;
  handling: Handling;
  signal: AbortSignal;
}

/**
 * Returns what the stream has for the durable. If the broker cannot say, the stream is not waited for: the inbox drops
 * what comes twice.
 */
async function pendingOf(
  { broker, durable, source, logger }: CatchUpOptions,
  signal: AbortSignal,
): Promise<Pending> {
  const unread = { before: undefined, waitMs: graceWithoutStreamMs };
  if (!broker.isConnected()) return unread;
  try {
    const { manager } = await broker.streams(signal);
    return { before: await oldestPending(manager, durable, `parley.${source.name}.>`), waitMs: graceMs };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ err: error, durable }, 'the stream cannot be read; events come from the log');
    return unread;
  }
}
