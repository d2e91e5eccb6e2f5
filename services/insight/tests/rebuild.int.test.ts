import { interactionDeleted } from '@parley/contracts/events';
import type { Rebuild } from '@parley/contracts/insight/v1/insight';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { NIL } from 'uuid';
import { countFacts } from '../src/counting/count-facts.ts';
import { beginRebuild, generationsOf, makeLive, readLive } from '../src/generations/generation-store.ts';
import { countChanges } from '../src/counting/count-changes.ts';
import { countEvents, scanPage } from '../src/counting/facts.ts';
import { countedKinds } from '../src/migrations/0005-counted-kinds.ts';
import { createConversation, randomFrom, recount } from './conversations.ts';
import { countersOf } from './counters.ts';
import { call, startSystem, type System } from './system.ts';
import { converse } from './traffic.ts';

let system: System;

beforeEach(async () => {
  system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
});

/** Adds interactions from before the event log. */
function addOld(count: number): void {
  const random = randomFrom(count);
  for (let index = 0; index < count; index += 1) {
    const { facts } = createConversation(random);
    system.interactions.facts.set(facts.interactionId, facts);
  }
}

/** Returns until when the figures of a workspace have everything, in milliseconds. */
async function asOf(workspaceId: string): Promise<number> {
  const readable = await readLive(system.db, workspaceId);
  return readable.isLive ? readable.asOf.getTime() : 0;
}

/** Holds up scans from the second page on, until the function that it returns is called. */
function holdScan(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  let pages = 0;
  system.interactions.onScan = () => {
    pages += 1;
    return pages > 1 ? promise : undefined;
  };
  return resolve;
}

test('the first build counts what was there before the service, and shows its progress', async () => {
  addOld(1_200);
  const release = holdScan();
  const client = await system.startReplica();
  await eventually(async () =>
    expect(await readLive(system.db, NIL)).toEqual({ isLive: false, counted: 500, total: 1_200 }),
  );
  expect(await client.getRebuild({}, call)).toMatchObject({ finishedAt: null, counted: 500, total: 1_200 });
  release();
  await system.live();
  expect(await readLive(system.db, NIL)).toMatchObject({ isLive: true, asOf: expect.any(Date) });
  expect(await client.getRebuild({}, call)).toMatchObject({ finishedAt: expect.any(Date), counted: 1_200 });
  await system.countedAll();
});

test('before the first build has begun, there is no rebuild', async () => {
  system.interactions.onLog = () => {
    throw new Error('the log cannot be read');
  };
  const client = await system.startReplica();
  await expect(client.getRebuild({}, call)).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.startRebuild({}, call)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a rebuild beside changes, by two replicas, has the figures of a recount', async () => {
  addOld(1_600);
  const client = await system.startReplica();
  await system.startReplica();
  await system.live();
  await system.countedAll();
  // Without a rebuild, wrong counters would stay.
  await system.admin.query('update insight.figure set n = n + 1');

  const release = holdScan();
  const started: Rebuild = await client.startRebuild({}, call);
  expect(started).toMatchObject({ finishedAt: null });
  await eventually(async () => expect(await client.getRebuild({}, call)).toMatchObject({ counted: 500 }));
  await converse(system.interactions, 1, 5);
  expect(await client.startRebuild({}, call)).toMatchObject({ startedAt: started.startedAt });
  release();
  await converse(system.interactions, 2, 5);
  const [changed] = await system.admin.query<{ at: Date }>('select clock_timestamp() as at');
  await eventually(async () =>
    expect(await client.getRebuild({}, call)).toMatchObject({
      startedAt: started.startedAt,
      finishedAt: expect.any(Date),
    }),
  );
  // On a busy machine events may wait for a minute, and be retried after another one. The figures say so.
  const { facts } = system.interactions;
  const [{ workspaceId } = { workspaceId: NIL }] = facts.values();
  await eventually(async () => expect(await asOf(workspaceId)).toBeGreaterThan(Number(changed?.at)), {
    timeoutMs: 240_000,
  });
  expect(await countersOf(system.db)).toEqual(recount(facts.values()));
});

test('after an update that counts in another way, everything is counted again without a command', async () => {
  addOld(100);
  const client = await system.startReplica();
  await system.live();
  await system.countedAll();
  const { startedAt } = await client.getRebuild({}, call);
  await system.admin.query('update insight.figure set n = n + 1');
  await system.db.transaction().execute((trx) => countedKinds.up(trx));
  await eventually(async () =>
    expect(await client.getRebuild({}, call)).toMatchObject({ counted: 100, finishedAt: expect.any(Date) }),
  );
  expect(await client.getRebuild({}, call)).not.toMatchObject({ startedAt });
  await system.countedAll();
});

test('an update begins nothing before the first build, and begins a build again that is running', async () => {
  const { admin, db } = system;
  const update = async () => {
    await db.transaction().execute((trx) => countedKinds.up(trx));
    return admin.query('select id, state, scanned_to from insight.generation order by id');
  };
  expect(await update()).toEqual([]);
  await admin.query('insert into insight.freshness default values');
  await admin.query("insert into insight.generation (state, scanned_to) values ('building', 'a')");
  expect(await update()).toEqual([{ id: 2, state: 'building', scanned_to: '' }]);
  await admin.query("update insight.generation set state = 'live', scanned_to = 'b'");
  const live = { id: 2, state: 'live', scanned_to: 'b' };
  expect(await update()).toEqual([live, { id: 3, state: 'building', scanned_to: '' }]);
});

test('a page that two replicas have read is counted once', async () => {
  addOld(700);
  await system.admin.query("insert into insight.generation (state) values ('building')");
  await system.admin.query("insert into insight.freshness (server) values ('one')");
  const { promise, resolve } = Promise.withResolvers<void>();
  let readers = 0;
  system.interactions.onScan = () => {
    readers += 1;
    if (readers === 2) resolve();
    return promise;
  };
  const parts = { db: system.db, facts: system.facts, logger };
  const { signal } = new AbortController();
  const twice = await Promise.all([scanPage(parts, signal), scanPage(parts, signal)]);
  expect(twice).toEqual([true, true]);
  expect(await system.admin.query('select counted::int from insight.generation')).toEqual([{ counted: 500 }]);
  expect(await scanPage(parts, signal)).toBe(false);
  expect(await scanPage(parts, signal)).toBe(false);
  expect(await system.admin.query('select counted::int from insight.generation')).toEqual([{ counted: 700 }]);
  await system.admin.query("update insight.generation set state = 'live'");
  await system.countedAll();
});

test.each(['an event', 'a change'])(
  'an interaction whose facts were read for %s, and that was deleted before a rebuild began, is not counted in it',
  async (kind) => {
    const { db, admin, facts, interactions } = system;
    await admin.query("insert into insight.generation (state) values ('live')");
    await admin.query("insert into insight.freshness (server) values ('one')");
    const conversation = createConversation(randomFrom(4));
    const { workspaceId, interactionId } = conversation.facts;
    await admin.query(
      `insert into insight.workspace_progress (workspace_id, transaction, interaction_id)
      values ('${workspaceId}', 0, '${NIL}')`,
    );
    await interactions.change([conversation]);
    const { signal } = new AbortController();
    const handle = countEvents({ db, facts, logger });
    const message = { workspaceId, interactionId };
    const received = {
      id: NIL,
      type: interactionDeleted,
      message,
      raisedAt: new Date(),
      traceparent: undefined,
    };
    const countEvent = () => handle([received], async () => new Set(), { signal });
    const parts = { db, facts, logger, areKnown: async () => true };

    // A slow replica has read the facts, another one counts the deletion, and then the rebuild begins.
    const [isRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    interactions.onFacts = () => {
      isRead.resolve();
      return mayAnswer.promise;
    };
    const slow = kind === 'an event' ? countEvent() : countChanges(parts, signal);
    await isRead.promise;
    interactions.onFacts = () => {};
    await interactions.remove([conversation.facts]);
    await countEvent();
    await beginRebuild(db);
    mayAnswer.resolve();
    await slow;

    expect(await scanPage({ db, facts, logger }, signal)).toBe(false);
    await db.transaction().execute((trx) => makeLive(trx, 2));
    expect(await countersOf(db)).toEqual({});
  },
);

test.each(['the first build', 'a rebuild'])(
  '%s during which the interactions move to another database server has those of the other one only',
  async (kind) => {
    const { interactions } = system;
    addOld(1_600);
    const here = [...interactions.facts.values()].map((facts) => ({ ...facts, version: 5 }));
    for (const facts of here) interactions.facts.set(facts.interactionId, facts);
    const isFirst = kind === 'the first build';
    let release = isFirst ? holdScan() : () => {};
    const client = await system.startReplica();
    if (!isFirst) {
      await system.live();
      release = holdScan();
      await client.startRebuild({}, call);
    }
    await eventually(async () => expect(await client.getRebuild({}, call)).toMatchObject({ counted: 500 }));
    const { startedAt } = await client.getRebuild({}, call);
    // A backup is restored: it lacks the newest changes and a part of the interactions, and nothing raises an event.
    for (const [index, facts] of here.entries()) {
      if (index % 3 === 0) interactions.facts.delete(facts.interactionId);
      else interactions.facts.set(facts.interactionId, { ...facts, version: 1, isImport: index % 2 === 0 });
    }
    interactions.server = 'two';
    release();
    const again = { counted: interactions.facts.size, finishedAt: expect.any(Date) as Date };
    await eventually(async () => expect(await client.getRebuild({}, call)).toMatchObject(again));
    expect(await client.getRebuild({}, call)).not.toMatchObject({ startedAt });
    await system.countedAll();
  },
);

test('facts that were read before the interactions have moved are not counted in the build after it', async () => {
  const { db, admin, interactions } = system;
  await admin.query("insert into insight.generation (state) values ('live'), ('building')");
  await admin.query("insert into insight.freshness (server) values ('two')");
  const { facts } = createConversation(randomFrom(3));
  const count = (server: string): Promise<void> =>
    countFacts({ db, logger }, { read: [{ ...facts, facts }], horizon: 1, server }, (trx) =>
      generationsOf(trx, server),
    );
  const counted = () => admin.query('select generation from insight.contribution order by 1');
  await count('one');
  expect(await counted()).toEqual([{ generation: 1 }]);
  await count('two');
  expect(await counted()).toEqual([{ generation: 1 }, { generation: 2 }]);
  interactions.facts.set(facts.interactionId, facts);
  await system.countedAll();
});
