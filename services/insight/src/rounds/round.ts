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
/** With the most events of a page, a round looks at 20,000. */
const pagesMax = 40;

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
 * Brings the figures up to date: counts what has changed without an event, and then moves `as_of` to the time at which
 * the round began, except for workspaces with events that are not handled. The first round begins the first build. A
 * generation whose scan was at its end when the round began becomes live at its end. Returns whether the next round is
 * soon: there was something to count, and not more than a round reads.
 */
export async function doRound(parts: RoundParts, signal: AbortSignal): Promise<boolean> {
  const { db, facts, log, held } = parts;
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
  const { handledTo, asOf, unhandled } = await readEvents(parts, cursor, signal);
  const hasMoved = handledTo !== cursor;
  if (hasMoved) await whileHolding(db, held, (trx) => moveCursor(trx, handledTo));
  const areKnown = (transactions: Transactions, places: readonly CountedPlace[]): Promise<boolean> =>
    checkServer(parts, transactions, places);
  const counted = await countChanges({ ...parts, areKnown }, signal);
  // Before the first scan is at its end, the figures do not have everything.
  const isComplete = scanned !== undefined || generations.some(({ state }) => state === 'live');
  if (!counted || !isComplete) return true;
  // Not soon: the consumer needs the time.
  if (!asOf) return false;
  const { behind, hasChanged } = counted;
  await whileHolding(db, held, (trx) => recordAsOf(trx, { asOf, unhandled, behind, scanned: scanned?.id }));
  return hasMoved || hasChanged || unhandled.size > 0 || behind.length > 0;
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

interface ReadEvents {
  /** The cursor before the first event that the consumer has not handled. */
  handledTo: string;
  /** All events that were committed before this were read. Undefined if there are more than a round reads. */
  asOf: Date | undefined;
  /** The workspaces with events that are not handled, with the time at which the first of each was raised. */
  unhandled: Map<string, Date>;
}

/** Reads which events behind a cursor the consumer has not handled. Dead letters and events that wait do not count. */
async function readEvents(
  { log, inbox }: Pick<RoundParts, 'log' | 'inbox'>,
  cursor: string,
  signal: AbortSignal,
): Promise<ReadEvents> {
  const unhandled = new Map<string, Date>();
  let [after, handledTo] = [cursor, cursor];
  let asOf: Date | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await listEvents(log, { after }, signal);
    asOf ??= page.completeUntil ?? undefined;
    const isNew = await inbox.keepNew(page.events.map(({ id }) => id));
    for (const event of page.events) {
      if (isNew.has(event.id)) {
        const raisedAt = event.raisedAt ?? new Date(0);
        const first = unhandled.get(event.workspaceId) ?? raisedAt;
        unhandled.set(event.workspaceId, raisedAt < first ? raisedAt : first);
      } else if (unhandled.size === 0) handledTo = event.cursor;
    }
    if (unhandled.size === 0) handledTo = page.cursor;
    if (!page.hasMore) return { handledTo, asOf, unhandled };
    after = page.cursor;
  }
  return { handledTo, asOf: undefined, unhandled };
}
