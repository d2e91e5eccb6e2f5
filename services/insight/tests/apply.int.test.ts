import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { longForm } from '@parley/testing/long-form';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, onTestFinished, test } from 'vitest';
import { applyFacts, type ReadFacts } from '../src/counting/count-facts.ts';
import { migrations } from '../src/migrations/index.ts';
import { purge } from '../src/counting/store.ts';
import type { Db, Tables } from '../src/schema.ts';
import { historyOf, pick, type Random, randomFrom, recount } from './conversations.ts';
import { countersOf } from './counters.ts';

const generation = 1;
const transactions = { horizon: 1, server: '' };

/** Opens an empty database with a live generation, for so many replicas. */
async function openReplicas(count: number) {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  const database = stack.use(await createDatabase('insight', migrations));
  const admin = stack.use(await openSqlConnection(database.adminUrl));
  await admin.query("insert into insight.generation (state) values ('live')");
  const open = (): Db =>
    stack.use(openDatabase<Tables>({ url: database.testUrl, logger, plansOnce: true })).db;
  return { admin, replicas: Array.from({ length: count }, open) };
}

const apply = (db: Db, read: readonly ReadFacts[]): Promise<void> =>
  db.transaction().execute((trx) => applyFacts(trx, [generation], { read, ...transactions }));

const present = (facts: ConversationFacts): ReadFacts => ({ ...facts, facts });
const deletion = ({ workspaceId, interactionId }: ConversationFacts): ReadFacts => ({
  workspaceId,
  interactionId,
  facts: undefined,
});

/** Returns the facts of the histories in batches, in any order, some of them twice, with the deletions in between. */
function batchesOf(histories: readonly ConversationFacts[][], deletions: ReadFacts[], random: Random) {
  const all = [...histories.flat().map(present), ...deletions];
  const twice = all.filter(() => random() < 0.1);
  const shuffled = [...all, ...twice].map((one) => ({ one, place: random() }));
  shuffled.sort((one, other) => one.place - other.place);
  const batches: Map<string, ReadFacts>[] = [];
  for (const { one } of shuffled) {
    let batch = batches.at(-1);
    if (!batch || batch.size === 100 || batch.has(one.interactionId)) {
      batch = new Map();
      batches.push(batch);
    }
    batch.set(one.interactionId, one);
  }
  return batches.map((batch) => [...batch.values()]);
}

test('thousands of conversations in any order, twice, deleted in between and from two replicas are counted exactly', async () => {
  const { replicas } = await openReplicas(2);
  const random = randomFrom(37);
  const histories = Array.from({ length: longForm(5_000) }, () => historyOf(random, 8));
  const isDeleted = new Set<string>();
  const latest = histories.flatMap((history) => history.slice(-1));
  const deletions = latest.filter(() => random() < 0.05).map(deletion);
  for (const { interactionId } of deletions) isDeleted.add(interactionId);
  const batches = batchesOf(histories, deletions, random);

  // Each replica has two batches in progress at any time.
  const work = async (db: Db): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await apply(db, batch);
  };
  await Promise.all(replicas.flatMap((db) => [work(db), work(db)]));

  const left = latest.filter(({ interactionId }) => !isDeleted.has(interactionId));
  expect(await countersOf(pick(random, replicas))).toEqual(recount(left));
});

test('deleting every interaction leaves no counter', async () => {
  const { replicas } = await openReplicas(1);
  const random = randomFrom(1);
  const histories = Array.from({ length: 300 }, () => historyOf(random, 8));
  const latest = histories.flatMap((history) => history.slice(-1));
  for (const db of replicas) {
    await apply(db, latest.map(present));
    expect(await countersOf(db)).toEqual(recount(latest));
    await apply(db, latest.map(deletion));
    expect(await countersOf(db)).toEqual({});
  }
});

test('late facts of a deleted interaction do not return, also if it was never counted', async () => {
  const { admin, replicas } = await openReplicas(1);
  const random = randomFrom(2);
  const [counted, uncounted] = [historyOf(random, 3).slice(-1), historyOf(random, 3).slice(-1)];
  for (const db of replicas) {
    await apply(db, counted.map(present));
    await apply(db, [...counted, ...uncounted].map(deletion));
    await apply(
      db,
      [...counted, ...uncounted].map((facts) => present({ ...facts, version: facts.version + 1 })),
    );
    expect(await countersOf(db)).toEqual({});

    await purge(db);
    expect(await admin.query('select from insight.contribution')).toHaveLength(2);
    await admin.query(`update insight.contribution set deleted_at = deleted_at - interval '61 minutes'`);
    await purge(db);
    expect(await admin.query('select from insight.contribution')).toHaveLength(0);
  }
});

test('a purge deletes only what belongs to no generation', async () => {
  const { admin, replicas } = await openReplicas(1);
  const facts = historyOf(randomFrom(3), 8).slice(-1);
  for (const db of replicas) {
    await db
      .transaction()
      .execute((trx) => applyFacts(trx, [generation, 2], { read: facts.map(present), ...transactions }));
    await admin.query(`insert into insight.generation (state) values ('building')`);
    await purge(db);
    expect(await countersOf(db)).toEqual(recount(facts));

    await admin.query(`delete from insight.generation where state = 'live'`);
    await admin.query(`update insight.generation set state = 'live'`);
    await purge(db);
    expect(await countersOf(db)).toEqual(recount(facts));
    const generations = await admin.query(
      'select distinct generation from (table insight.contribution) as one union select generation from insight.figure',
    );
    expect(generations).toEqual([{ generation: 2 }]);
  }
});
