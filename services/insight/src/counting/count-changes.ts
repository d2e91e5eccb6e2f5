import type { ListChangedConversationsResponse } from '@parley/contracts/interaction/v1/facts';
import { toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { NIL, v7 as uuidv7 } from 'uuid';
import { generationIds } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { countedVersions } from './store.ts';
import { countPresent, type FactsClient } from './facts.ts';
import { listPlaces, movePlaces, type CountedPlace } from './progress-store.ts';

/** The transactions of the database of the interaction service. */
export type Transactions = Omit<ListChangedConversationsResponse, 'conversations'>;

interface Parts {
  db: Db;
  facts: FactsClient;
  logger: Logger;
  /** Returns whether the places, and what was counted, belong to these transactions. */
  areKnown: (transactions: Transactions, places: readonly CountedPlace[]) => Promise<boolean>;
}

const placesMax = 100;
/** How many changes of a workspace are counted before it is the turn of the next one. */
const changesMax = 50;
const factsMax = 500;
const roundMsMax = 5_000;

interface CountedChanges {
  /** The workspaces that have more changes, or whose changes could not be counted. */
  behind: string[];
  hasChanged: boolean;
}

type Changed = ListChangedConversationsResponse['conversations'];

/**
 * Counts what has changed in workspaces with open conversations, because answers raise no event. Workspaces take turns
 * of 50 changes, for at most about five seconds. Without changes it costs one read, and a call for each 100 workspaces,
 * at least one. Undefined if the transactions are not known.
 */
export async function countChanges(parts: Parts, signal: AbortSignal): Promise<CountedChanges | undefined> {
  const endMs = performance.now() + roundMsMax;
  const counted = { failed: new Array<string>(), hasChanged: false };
  let waiting = await listPlaces(parts.db);
  // A call without places says which transactions there are.
  do {
    const due = waiting;
    waiting = [];
    for (let at = 0; at === 0 || at < due.length; at += placesMax) {
      const places = due.slice(at, at + placesMax);
      const more = performance.now() >= endMs ? places : await countNext(parts, places, counted, signal);
      if (!more) return undefined;
      waiting.push(...more);
    }
  } while (waiting.length > 0 && performance.now() < endMs);
  const behind = [...counted.failed, ...waiting.map(({ workspaceId }) => workspaceId)];
  return { behind, hasChanged: counted.hasChanged };
}

/**
 * Counts the next changes behind each place. Returns the places that may have more; undefined if the transactions are
 * not known. Adds to what was counted.
 */
async function countNext(
  parts: Parts,
  places: readonly CountedPlace[],
  counted: { failed: string[]; hasChanged: boolean },
  signal: AbortSignal,
): Promise<CountedPlace[] | undefined> {
  const { conversations, ...transactions } = await parts.facts.listChangedConversations(
    { places: [...places], limit: changesMax },
    { requestId: uuidv7(), signal },
  );
  if (!(await parts.areKnown(transactions, places))) return undefined;
  if (conversations.length === 0) return [];
  counted.hasChanged = true;
  const uncounted = await countEach(parts, conversations, signal);
  counted.failed.push(...uncounted);
  const byWorkspace = Map.groupBy(conversations, ({ workspaceId }) => workspaceId);
  const ends = places.flatMap((from) => {
    const { workspaceId } = from;
    const changed = byWorkspace.get(workspaceId) ?? [];
    const last = changed.at(-1);
    if (!last || uncounted.includes(workspaceId)) return [];
    const { transaction, interactionId } = last;
    return [
      { from, to: { workspaceId, transaction, interactionId }, hasMore: changed.length === changesMax },
    ];
  });
  // Behind the horizon, changes may still be committed before places that are known.
  const { horizon } = transactions;
  const settled = ends.map(({ from, to }) => {
    const isSettled = to.transaction < horizon;
    return { from, to: isSettled ? to : { ...to, transaction: horizon, interactionId: NIL } };
  });
  await movePlaces(
    parts.db,
    settled.filter(({ from, to }) => isBehind(from, to)),
  );
  return ends.flatMap(({ to, hasMore }) => (hasMore ? [to] : []));
}

function isBehind(one: CountedPlace, other: CountedPlace): boolean {
  if (one.transaction !== other.transaction) return one.transaction < other.transaction;
  return one.interactionId < other.interactionId;
}

/** Counts changes; if that fails, the changes of each workspace alone. Returns the workspaces for which it fails. */
async function countEach(parts: Parts, changed: Changed, signal: AbortSignal): Promise<string[]> {
  const failed: string[] = [];
  try {
    await countPage(parts, changed, signal);
  } catch (error) {
    if (signal.aborted || toAppError(error).code === 'unavailable') throw error;
    for (const [workspaceId, own] of Map.groupBy(changed, (one) => one.workspaceId)) {
      try {
        await countPage(parts, own, signal);
      } catch (fault) {
        if (signal.aborted || toAppError(fault).code === 'unavailable') throw fault;
        parts.logger.warn({ err: fault, workspaceId }, 'the changes of a workspace cannot be counted now');
        failed.push(workspaceId);
      }
    }
  }
  return failed;
}

async function countPage({ db, facts, logger }: Parts, changed: Changed, signal: AbortSignal): Promise<void> {
  const generations = await generationIds(db);
  const ids = changed.map(({ interactionId }) => interactionId);
  const counted = await countedVersions(db, generations, ids);
  const newer = changed.filter(({ interactionId, version }) => (counted.get(interactionId) ?? 0) < version);
  for (let at = 0; at < newer.length; at += factsMax) {
    await countPresent({ db, facts, logger }, newer.slice(at, at + factsMax), { signal });
  }
}
