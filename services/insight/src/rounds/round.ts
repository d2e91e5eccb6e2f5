import type { Inbox } from '@parley/events/inbox';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { countChanges, type Transactions } from '../counting/count-changes.ts';
import type { FactsClient } from '../counting/facts.ts';
import { moveAllPlaces, type Place } from '../counting/progress-store.ts';
import { beginFirst, beginNext, listGenerations } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { moveCursor, readCursor, readServer, recordAsOf, saveServer } from './freshness-store.ts';
import { listEvents, type LogClient, waitForHandled } from './handled-events.ts';
import { whileHolding } from './lease-store.ts';

interface RoundParts {
  db: Db;
  facts: FactsClient;
  log: LogClient;
  logger: Logger;
  inbox: Pick<Inbox, 'keepNew'>;
  /** The replica, which has the lease. If it loses it meanwhile, the round records nothing. */
  replica: string;
}

/**
 * Brings the figures up to date: waits for the events so far, counts what has changed without an event, and then moves
 * `as_of` to the time at which the round began. The first round begins the first build. A generation whose scan was at
 * its end when the round began becomes live at its end.
 */
export async function doRound(parts: RoundParts, signal: AbortSignal): Promise<void> {
  const { db, log, inbox, replica } = parts;
  const cursor = await readCursor(db);
  if (cursor === undefined) {
    const newest = await listEvents(log, { after: '', fromNow: true }, signal);
    await beginFirst(db, newest.cursor);
    return;
  }
  const generations = await listGenerations(db);
  const scanned = generations.find(({ state, scannedAt }) => state === 'building' && scannedAt);
  const onHandled = async (handled: string): Promise<void> => {
    await whileHolding(db, replica, (trx) => moveCursor(trx, handled));
  };
  const handledUntil = await waitForHandled({ log, inbox, onHandled }, cursor, signal);
  const areKnown = (transactions: Transactions, places: readonly Place[]): Promise<boolean> =>
    checkServer(parts, transactions, places);
  const behind = await countChanges({ ...parts, areKnown }, signal);
  // Before the first scan is at its end, the figures do not have everything.
  const isComplete = scanned !== undefined || generations.some(({ state }) => state === 'live');
  if (!handledUntil || !isComplete) return;
  await whileHolding(db, replica, (trx) =>
    recordAsOf(trx, { asOf: handledUntil, behind, scanned: scanned?.id }),
  );
}

/**
 * Returns whether the places are places in these transactions. If the data of the interaction service are in another
 * server now, or the server has lost transactions, they are not: then all interactions are counted again, and places
 * begin at its present transactions.
 */
async function checkServer(
  { db, logger, replica }: RoundParts,
  { server, horizon, next }: Transactions,
  places: readonly Place[],
): Promise<boolean> {
  const known = await readServer(db);
  const isAhead = places.some(({ transaction }) => transaction > next);
  if (known === server && !isAhead) return true;
  const isFirst = known === '' && !isAhead;
  await whileHolding(db, replica, async (trx) => {
    await saveServer(trx, server);
    if (isFirst) return;
    await moveAllPlaces(trx, horizon);
    await beginNext(trx);
  });
  if (!isFirst)
    logger.warn({ server }, 'the interactions are in another database server; they are counted again');
  return isFirst;
}
