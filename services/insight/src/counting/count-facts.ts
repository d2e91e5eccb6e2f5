import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { NIL } from 'uuid';
import { beginOfHour } from '../figures/counters.ts';
import { countsOf } from '../figures/counts.ts';
import type { Db, FigureTable, Trx } from '../schema.ts';
import {
  addToFigures,
  type Contribution,
  lockContributions,
  saveContributions,
  type Uncounted,
} from './store.ts';
import { watchChanges } from './progress-store.ts';

export interface ReadPage {
  read: readonly ReadFacts[];
  /** It knew the changes of all transactions before this one. */
  horizon: number;
  /** The database server of its transactions. */
  server: string;
}

export interface ReadFacts {
  workspaceId: string;
  interactionId: string;
  /** Undefined: it does not exist, because it was deleted. */
  facts: ConversationFacts | undefined;
}

/**
 * Counts facts in one transaction, in the generations that `begin` returns. Facts that the database rejects do not fail
 * the others: their interactions are counted as unknown, and logged. Rejects with what fails also without their values.
 */
export async function countFacts(
  { db, logger }: { db: Db; logger: Logger },
  { read, ...transactions }: ReadPage,
  begin: (trx: Trx) => Promise<readonly number[]>,
): Promise<void> {
  const count = (part: readonly ReadFacts[]): Promise<void> =>
    db
      .transaction()
      .execute(async (trx) => applyFacts(trx, await begin(trx), { read: part, ...transactions }));
  try {
    await count(read);
  } catch (error) {
    if (!isRejection(error)) throw error;
    const rejected = await findRejected(read, async (part) => {
      await db.transaction().execute(async (trx) => {
        await applyFacts(trx, await begin(trx), { read: part, ...transactions });
        throw accepted;
      });
    });
    await count(read.map((one) => (rejected.has(one) ? unknown(one) : one)));
    for (const [{ workspaceId, interactionId }, err] of rejected)
      logger.warn({ err, workspaceId, interactionId }, 'an interaction cannot be counted and is unknown');
  }
}

/** Rolls back a trial. */
const accepted = new Error('the facts can be counted');

/** Returns whether an error may be about the values: no dependency is unavailable, and nothing has timed out. */
function isRejection(error: unknown): boolean {
  return toAppError(error).code === 'internal';
}

/** Returns the facts that a trial rejects, and why, by halving. */
async function findRejected(
  read: readonly ReadFacts[],
  tryOut: (part: readonly ReadFacts[]) => Promise<void>,
): Promise<Map<ReadFacts, unknown>> {
  let rejection: unknown;
  try {
    await tryOut(read);
  } catch (error) {
    if (error === accepted) return new Map();
    if (!isRejection(error)) throw error;
    rejection = error;
  }
  if (read.length <= 1) return new Map(read.map((one) => [one, rejection]));
  const middle = Math.ceil(read.length / 2);
  const first = await findRejected(read.slice(0, middle), tryOut);
  const second = await findRejected(read.slice(middle), tryOut);
  return new Map([...first, ...second]);
}

function unknown({ facts, ...one }: ReadFacts): ReadFacts {
  const nothing = { steps: [], lastStepId: '', ways: [], evaluation: [] };
  return { ...one, facts: facts && { ...facts, isUnknown: true, ...nothing } };
}

/**
 * Counts facts in these generations, in the transaction of the caller: for each interaction, subtracts what it has
 * added before, and adds what it adds now. Facts that are not newer than the counted ones change nothing, and neither
 * do facts of a deleted interaction. So facts may come twice, in any order, and from several replicas at once. Each
 * interaction occurs once.
 */
export async function applyFacts(
  trx: Trx,
  generations: readonly number[],
  { read, ...transactions }: ReadPage,
): Promise<void> {
  if (generations.length === 0 || read.length === 0) return;
  const byId = new Map(read.map((one) => [one.interactionId, one]));
  const before = await lockContributions(trx, generations, read.map(uncountedOf));
  const replaced = before.flatMap((old) => {
    const one = byId.get(old.interactionId);
    const counted = one && replacementOf(old, one.facts);
    return counted ? [{ old, counted }] : [];
  });
  if (replaced.length === 0) return;
  await saveContributions(
    trx,
    replaced.map(({ counted }) => counted),
  );
  const opened = replaced.filter(({ old, counted }) => counted.isOpen && !old.isOpen);
  await watchChanges(trx, [...new Set(opened.map(({ old }) => old.workspaceId))], transactions);
  await addToFigures(trx, differenceOf(replaced));
}

/** A row needs a bot and a time also if nothing is known about the interaction. Without counts they have no effect. */
function uncountedOf({ workspaceId, interactionId, facts }: ReadFacts): Uncounted {
  return { workspaceId, interactionId, botId: facts?.botId ?? NIL, createdAt: createdAtOf(facts) };
}

function createdAtOf(facts: ConversationFacts | undefined): Date {
  return facts?.createdAt ?? new Date();
}

/** Returns the new contribution of an interaction; undefined if the old one stays. */
function replacementOf(old: Contribution, facts: ConversationFacts | undefined): Contribution | undefined {
  if (old.deletedAt) return undefined;
  if (!facts) return { ...old, isOpen: false, isUnknown: false, deletedAt: new Date(), counts: {} };
  if (!isNewer(facts, old)) return undefined;
  const { botId, botVersion, version, isStalled, isUnknown } = facts;
  return {
    ...old,
    botId,
    botVersion: botVersion ?? 0,
    createdAt: createdAtOf(facts),
    version,
    isStalled,
    isOpen: isOpen(facts),
    isUnknown,
    counts: countsOf(facts),
  };
}

/** Returns whether the conversation may change without an event. It may wait for its customer after it was reopened. */
function isOpen({ startedAt, status, isStalled }: ConversationFacts): boolean {
  return startedAt !== null && status !== 'Completed' && status !== 'Expired' && !isStalled;
}

/** A conversation stalls without a new version. */
function isNewer(facts: ConversationFacts, counted: Contribution): boolean {
  if (facts.version !== counted.version) return facts.version > counted.version;
  return facts.isStalled && !counted.isStalled;
}

/** Returns what to add to counters so that they have the new contributions in place of the old ones. */
function differenceOf(replaced: readonly { old: Contribution; counted: Contribution }[]): FigureTable[] {
  const sums = new Map<string, FigureTable>();
  const add = (contribution: Contribution, sign: 1 | -1): void => {
    const { generation, workspaceId, botId, botVersion } = contribution;
    const hour = beginOfHour(contribution.createdAt);
    for (const [name, count] of Object.entries(contribution.counts)) {
      const key = JSON.stringify([generation, botId, botVersion, hour.getTime(), name]);
      const sum = sums.get(key);
      if (sum) sum.n += sign * count;
      else sums.set(key, { generation, workspaceId, botId, botVersion, hour, name, n: sign * count });
    }
  };
  for (const { old, counted } of replaced) {
    add(old, -1);
    add(counted, 1);
  }
  return [...sums.values()].filter(({ n }) => n !== 0);
}
