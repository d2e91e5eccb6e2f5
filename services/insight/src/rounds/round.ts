import type { Inbox } from '@parley/events/inbox';
import { countOpenConversations } from '../counting/open-conversations.ts';
import type { FactsClient } from '../counting/facts.ts';
import { beginFirst, listGenerations } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { moveCursor, readCursor, recordAsOf } from './freshness-store.ts';
import { listEvents, type LogClient, waitForHandled } from './handled-events.ts';

interface RoundParts {
  db: Db;
  facts: FactsClient;
  log: LogClient;
  inbox: Pick<Inbox, 'keepNew' | 'oldestAside'>;
}

/**
 * Brings the figures up to date: waits for the events so far, counts what has changed without an event, and then moves
 * `as_of` to the time at which the round began. The first round begins the first build. A generation whose scan was at
 * its end when the round began becomes live at its end.
 */
export async function doRound({ db, facts, log, inbox }: RoundParts, signal: AbortSignal): Promise<void> {
  const cursor = await readCursor(db);
  if (cursor === undefined) {
    const newest = await listEvents(log, { after: '', fromNow: true }, signal);
    await beginFirst(db, newest.cursor);
    return;
  }
  const generations = await listGenerations(db);
  const scanned = generations.find(({ state, scannedAt }) => state === 'building' && scannedAt);
  const onHandled = (handled: string): Promise<void> => moveCursor(db, handled);
  const handledUntil = await waitForHandled({ log, inbox, onHandled }, cursor, signal);
  await countOpenConversations({ db, facts }, generations, signal);
  // Before the first scan is at its end, the figures do not have everything.
  const isComplete = scanned !== undefined || generations.some(({ state }) => state === 'live');
  if (!handledUntil || !isComplete) return;
  const aside = await inbox.oldestAside();
  const asOf = aside && aside < handledUntil ? aside : handledUntil;
  await recordAsOf(db, asOf, scanned?.id);
}
