import { type EventType, isRaisedBy, stream } from '@parley/contracts/events';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import type { Kysely } from 'kysely';
import { type Source, startCatchUp } from './catch-up.ts';
import type { Handle } from './attempt.ts';
import { createHandling, type Handling, type HandlingOptions } from './handling.ts';

export type { Handle, Received, Take, Share } from './attempt.ts';
import { type Inbox, inboxOf } from './inbox.ts';
import { keepHandledDays } from './handled-days.ts';
import { observeConsumer, observeInbox } from './metrics.ts';
import type { Broker } from './nats.ts';
import { startReceiving } from './receiving.ts';
import { isAhead } from './stream.ts';
import { postponedBy, shareEventsMax } from './shares.ts';

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
  /** Handles what `handle` has postponed, as shares. */
  handlePostponed?: Handle<Message>;
  wants?: HandlingOptions<Message, Tables>['wants'];
  /** How long the first event of a batch waits for others of the stream at most. Default: 0. */
  gatherMs?: number;
}

const checkMs = 5_000;
const asideMs = 30_000;
const asideMax = 100;
/** How often shares are looked for that another replica has left. Events that begin to wait here wake them. */
const sharesMs = 5_000;
/** How long a workspace waits whose events could not be handled in its share. */
const stuckMs = 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Passes each event to `handle` at least once, in batches and in no order. Once, if the effects of `handle` are in the
 * transaction of its `take`. New events come from the stream, all that is missing from the logs (`startCatchUp`), and
 * what could not be handled, waits for a share of its workspace or was postponed, from the service's own tables
 * (`handling.ts`).
 * Disposing waits for what is in progress.
 * Throws for a type without a source, and for a source without a type.
 */
export function startConsumer<Message, Tables>(options: ConsumerOptions<Message, Tables>): AsyncDisposable {
  const { broker, db, durable, logger, types, sources, from, handlePostponed: handle } = options;
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
  const { gatherMs = 0 } = options;
  const stack = new AsyncDisposableStack();
  const { usual, costly } = shareEventsMax;
  const postponedTo =
    handle && stack.use(startWaiting({ db, logger, types, handle }, postponedBy(durable), costly));
  const { inbox, handling } = stack.use(startWaiting({ ...options, postponedTo }, durable, usual));
  const parts = { broker, logger, durable, subjects, inbox, handling };
  stack.use(startReceiving({ ...parts, gatherMs, hasBegun }));
  stack.use(startChecking(parts));
  const catchUps = sources.map((source) => {
    const own = subjects.filter((subject) => isRaisedBy(source.name, subject));
    return { source, ...stack.use(startCatchUp({ ...parts, source, subjects: own, from })) };
  });
  stack.use(
    repeat('forget handled events', 60_000, logger, async () => {
      await keepHandledDays(db);
      const kept = await inbox.keptSince(sourceNames);
      // Later, because the log drops whole days, and clocks differ.
      if (kept === undefined) return false;
      const before = new Date(kept.getTime() - 2 * dayMs);
      const isMore = await postponedTo?.inbox.forgetBefore(before);
      return (await inbox.forgetBefore(before)) || isMore;
    }),
  );
  stack.use(observeConsumer({ broker, durable, catchUps }));
  return stack;
}

interface Waiting extends AsyncDisposable {
  inbox: Inbox;
  handling: Handling;
  /** Called when events begin to wait. */
  onWaiting: () => void;
}

/** Starts to handle what waits in the service's own tables: for shares of workspaces, and dead letters. */
function startWaiting<Message, Tables>(
  options: Omit<HandlingOptions<Message, Tables>, 'inbox'>,
  durable: string,
  /** How many events a share has at most. */
  eventsMax: number,
): Waiting {
  const inbox = inboxOf(options.db, durable);
  const onWaiting = (): void => {
    shares.wake();
    slowShares.wake();
  };
  const handling = createHandling({ ...options, inbox, onWaiting });
  const parts = { logger: options.logger, inbox, handling, onWaiting };
  const stack = new AsyncDisposableStack();
  const shares = stack.use(startShares(parts, 'share', eventsMax));
  const slowShares = stack.use(startShares(parts, 'slow', shareEventsMax.costly));
  stack.use(startRetrying(parts));
  stack.use(observeInbox(durable, inbox));
  return { inbox, handling, onWaiting, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

type Parts = Omit<Waiting, keyof AsyncDisposable> & { logger: Logger };

/** Deletes a durable that skips events. It is then created again. */
function startChecking({
  broker,
  logger,
  durable,
}: {
  broker: Broker;
  logger: Logger;
  durable: string;
}): Schedule {
  return repeat(`check durable ${durable}`, checkMs, logger, async (signal) => {
    const { manager } = await broker.streams(signal);
    if (!(await isAhead(manager, durable))) return;
    logger.warn({ durable }, 'the broker has lost events and skips new ones');
    await manager.consumers.delete(stream.name, durable);
  });
}

/** Retries dead letters. If there is no time for one, it is due again after a minute. */
function startRetrying({ inbox, handling, logger }: Omit<Parts, 'onWaiting'>): Schedule {
  return repeat('handle events that were put aside', asideMs, logger, async (signal) => {
    const claimed = await inbox.claimAside(asideMax);
    await handling(claimed, { signal, from: 'aside' });
    return claimed.length === asideMax;
  });
}

/**
 * Handles the events that wait: one workspace after another. Workspaces whose shares take long have shares of their own
 * beside the others, so these wait for one share of each at most.
 */
function startShares(
  { inbox, handling, logger, onWaiting }: Parts,
  from: 'share' | 'slow',
  eventsMax: number,
): Schedule {
  /** Until then, a workspace may be due again after its pause. */
  let soonUntilMs = 0;
  return repeat(`handle events in turn: ${from}`, sharesMs, logger, async (signal) => {
    const share = await inbox.claimShare(from === 'slow', eventsMax);
    if (!share) return performance.now() < soonUntilMs ? stuckMs : undefined;
    const { workspaceId, events } = share;
    soonUntilMs = performance.now() + sharesMs;
    const failed = { pauseMs: stuckMs, isSlow: from === 'slow' };
    const { again, waits, passable, slow } = await handling(events, { signal, from }).catch(
      async (error: unknown) => {
        await inbox.endShare(workspaceId, failed);
        throw error;
      },
    );
    const isSlow = slow.size > 0;
    const isStuck = again.size + waits.size === events.length && (from === 'slow' || !isSlow);
    // Events behind a page may go on if they may pass all of it. Behind the last page, all are retried.
    const isPassable = passable.size === eventsMax;
    const after = isStuck && isPassable ? events.at(-1)?.id : undefined;
    await inbox.endShare(workspaceId, { pauseMs: isStuck && !after ? stuckMs : 0, after, isSlow });
    // The shares of the other kind go on with it.
    if (isSlow !== (from === 'slow')) onWaiting();
    return again.size === 0 || stuckMs;
  });
}
