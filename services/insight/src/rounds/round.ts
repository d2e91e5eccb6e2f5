import { setTimeout } from 'node:timers/promises';
import type { EventLogServiceService } from '@parley/contracts/events/v1/log';
import type { Inbox } from '@parley/events/inbox';
import type { Held } from '@parley/postgres/lease';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { v7 as uuidv7 } from 'uuid';
import { countChanges, type Transactions } from '../counting/count-changes.ts';
import { type FactsClient, types } from '../counting/facts.ts';
import { moveAllPlaces, type CountedPlace } from '../counting/progress-store.ts';
import { beginFirst, beginOn, listGenerations, readServer } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { moveCursor, readCursor, recordAsOf, whileHolding } from './store.ts';

export type LogClient = Pick<RpcClient<EventLogServiceService>, 'listEvents'>;

const subjects = types.map(({ subject }) => subject);
const pollMs = 100;
const waitMsMax = 10_000;

interface RoundParts {
  db: Db;
  facts: FactsClient;
  log: LogClient;
  logger: Logger;
  inbox: Pick<Inbox, 'keepNew'>;
  /** The claim of the lease under which the round begins. If that ends meanwhile, the round records nothing. */
  held: Held;
}

/**
 * Brings the figures up to date: waits for the events so far, counts what has changed without an event, and then moves
 * `as_of` to the time at which the round began. The first round begins the first build. A generation whose scan was at
 * its end when the round began becomes live at its end. Returns whether there was anything to count.
 */
export async function doRound(parts: RoundParts, signal: AbortSignal): Promise<boolean> {
  const { db, facts, log, inbox, held } = parts;
  const cursor = await readCursor(db);
  if (cursor === undefined) {
    const newest = await listEvents(log, { after: '', fromNow: true }, signal);
    const { server } = await facts.listChangedConversations(
      { places: [], limit: 1 },
      { requestId: uuidv7(), signal },
    );
    await beginFirst(db, { cursor: newest.cursor, server });
    return true;
  }
  const generations = await listGenerations(db);
  const scanned = generations.find(({ state, scannedAt }) => state === 'building' && scannedAt);
  let hasEvents = false;
  const onHandled = async (handled: string): Promise<void> => {
    hasEvents = true;
    await whileHolding(db, held, (trx) => moveCursor(trx, handled));
  };
  const handledUntil = await waitForHandled({ log, inbox, onHandled }, cursor, signal);
  const areKnown = (transactions: Transactions, places: readonly CountedPlace[]): Promise<boolean> =>
    checkServer(parts, transactions, places);
  const counted = await countChanges({ ...parts, areKnown }, signal);
  // Before the first scan is at its end, the figures do not have everything.
  const isComplete = scanned !== undefined || generations.some(({ state }) => state === 'live');
  if (!counted || !handledUntil || !isComplete) return true;
  const { behind, hasChanged } = counted;
  await whileHolding(db, held, (trx) =>
    recordAsOf(trx, { asOf: handledUntil, behind, scanned: scanned?.id }),
  );
  return hasEvents || hasChanged || behind.length > 0;
}

/**
 * Returns whether the places are places in these transactions. If the data of the interaction service are in another
 * server now, or the server has lost transactions, they are not: then all interactions are counted again, also if a
 * rebuild is running, and places begin at its present transactions.
 */
async function checkServer(
  { db, logger, held }: RoundParts,
  { server, horizon, next }: Transactions,
  places: readonly CountedPlace[],
): Promise<boolean> {
  const known = await readServer(db);
  const isAhead = places.some(({ transaction }) => transaction > next);
  if (known === server && !isAhead) return true;
  const hasBegun = await whileHolding(db, held, async (trx) => {
    await beginOn(trx, server);
    await moveAllPlaces(trx, horizon);
  });
  if (hasBegun)
    logger.warn({ server }, 'the interactions are in another database server; they are counted again');
  return false;
}

/** Returns a page of the events that the consumer handles, behind a cursor; with `fromNow`, only the newest cursor. */
function listEvents(
  log: LogClient,
  { after, fromNow = false }: { after: string; fromNow?: boolean },
  signal: AbortSignal,
) {
  return log.listEvents({ after, types: subjects, limit: 0, fromNow }, { requestId: uuidv7(), signal });
}

interface Waiting {
  log: LogClient;
  inbox: Pick<Inbox, 'keepNew'>;
  /** Called with the cursor behind each page of events that were all handled. */
  onHandled: (cursor: string) => Promise<void>;
}

/**
 * Waits until the consumer has handled all events behind a cursor. Returns until when everything is handled: as a rule
 * the time of the call. Undefined if the consumer needs more than 10 seconds. Does not wait for dead letters: only
 * the figures of their workspaces lack them.
 */
async function waitForHandled(
  { log, inbox, onHandled }: Waiting,
  cursor: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const endMs = performance.now() + waitMsMax;
  let handledUntil: Date | undefined;
  for (let after = cursor, hasMore = true; hasMore; ) {
    const page = await listEvents(log, { after }, signal);
    handledUntil ??= page.completeUntil ?? undefined;
    const ids = page.events.map(({ id }) => id);
    while (ids.length > 0 && (await inbox.keepNew(ids)).size > 0) {
      if (performance.now() > endMs) return undefined;
      await setTimeout(pollMs, undefined, { signal });
    }
    if (page.cursor !== after) await onHandled(page.cursor);
    ({ cursor: after, hasMore } = page);
  }
  return handledUntil;
}
