import { interactionStarted } from '@parley/contracts/events';
import { type ConversationFacts, EvaluationFact_Kind as Kind } from '@parley/contracts/interaction/v1/facts';
import { inboxOf } from '@parley/events/inbox';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { countUnknown } from '../src/counting/store.ts';
import { countChanges } from '../src/counting/count-changes.ts';
import { countFacts } from '../src/counting/count-facts.ts';
import { forgetPlaces, listPlaces } from '../src/counting/progress-store.ts';
import { durable, generationIds, readLive } from '../src/generations/generation-store.ts';
import { claimLease, countBehind, releaseLease } from '../src/rounds/store.ts';
import { doRound } from '../src/rounds/round.ts';
import { createConversation, randomFrom, recount } from './conversations.ts';
import { countersOf } from './counters.ts';
import { call, startSystem, type System } from './system.ts';

// One workspace, one row and one event do not hold up the figures of others.

let system: System;

beforeEach(async () => {
  system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
});

const random = randomFrom(46);

/** Returns a conversation in progress, whose answers raise no event. */
function openConversation(workspaceId = '00000000-0000-4000-8000-000000000001'): ConversationFacts {
  const { facts } = createConversation(random);
  return {
    ...facts,
    workspaceId,
    interactionId: uuidv7(),
    status: 'InProgress',
    isImport: false,
    botVersion: 1,
    startedAt: facts.createdAt,
    steps: [{ stepId: 'step-1', outcome: 'OUTCOME_UNSPECIFIED' }],
    lastStepId: 'step-1',
  };
}

const answer = (facts: ConversationFacts, value = '9'): ConversationFacts => ({
  ...facts,
  version: facts.version + 1,
  steps: [{ stepId: 'step-1', outcome: 'Answered' }],
  evaluation: [{ key: 'nps', kind: Kind.Nps, values: [value] }],
});

const start = (all: readonly ConversationFacts[]): Promise<void> =>
  system.interactions.change(all.map((facts) => ({ facts, event: interactionStarted })));
const change = (all: readonly ConversationFacts[]): Promise<void> =>
  system.interactions.change(all.map((facts) => ({ facts, event: undefined })));

/** Returns until when the figures of a workspace have everything, in milliseconds. */
async function asOf(workspaceId: string): Promise<number> {
  const live = await readLive(system.db, workspaceId);
  return live.isLive ? live.asOf.getTime() : Number.NaN;
}

const { signal } = new AbortController();

test('a round asks about what has changed, however many conversations are open', async () => {
  const { asked } = system.interactions;
  await system.startReplica();
  await system.live();
  const all = Array.from({ length: 700 }, () => openConversation());
  await start(all);
  await system.countedAll();
  await eventually(async () => expect((await listPlaces(system.db)).length).toBe(1));
  await eventually(async () => {
    const before = { ...asked };
    await eventually(() => expect(asked.changes).toBeGreaterThan(before.changes + 2));
    expect(asked.facts).toBe(before.facts);
  });

  const before = { ...asked };
  await change(all.slice(0, 1).map((one) => answer(one)));
  await system.countedAll();
  expect(asked.conversations - before.conversations).toBe(1);
});

test('thousands of changes of a workspace delay those of another one by one turn', async () => {
  await system.admin.query("insert into insight.generation (state) values ('live')");
  await system.admin.query("insert into insight.freshness (cursor, server) values ('', 'one')");
  const [large, small] = [
    Array.from({ length: 2_000 }, () => openConversation('00000000-0000-4000-8000-000000000001')),
    [openConversation('00000000-0000-4000-8000-000000000002')],
  ];
  await change([...large, ...small]);
  for (let at = 0; at < large.length + 1; at += 500) {
    const read = [...large, ...small].slice(at, at + 500).map((facts) => ({ ...facts, facts }));
    await countFacts({ db: system.db, logger }, { read, horizon: 2, server: 'one' }, generationIds);
  }
  await change([...large, ...small].map((one) => answer(one)));
  const turns: Map<string, number>[] = [];
  system.interactions.onFacts = (of) => {
    const counts = Map.groupBy(of, ({ workspaceId }) => workspaceId);
    turns.push(new Map([...counts].map(([workspaceId, { length }]) => [workspaceId, length])));
  };
  const parts = { db: system.db, facts: system.facts, logger, areKnown: async () => true };
  const countBehind = async () => (await countChanges(parts, signal))?.behind ?? [];
  let behind = await countBehind();
  expect(turns[0]?.get('00000000-0000-4000-8000-000000000002')).toBe(1);
  expect(Math.max(...turns.flatMap((turn) => [...turn.values()]))).toBe(50);
  while (behind.length > 0) behind = await countBehind();
  await system.countedAll();
});

test('a conversation that cannot be counted is unknown, and the others go on: by scan, event and change', async () => {
  const { facts } = system.interactions;
  const warned = vi.spyOn(logger, 'warn');
  const [scanned, raised, changed] = [openConversation(), openConversation(), openConversation()];
  const bad = answer(scanned, '9\0');
  for (const one of [bad, openConversation(), openConversation()]) facts.set(one.interactionId, one);
  await system.startReplica();
  await system.live();
  await start([answer(raised, '9\0'), changed, openConversation()]);
  await eventually(async () => expect(await countUnknown(system.db)).toBe(2));
  await change([answer(changed, '9\0')]);
  await eventually(async () => expect(await countUnknown(system.db)).toBe(3));
  const isBad = new Set([scanned, raised, changed].map(({ interactionId }) => interactionId));
  const expected = [...facts.values()].map((one) => ({ ...one, isUnknown: isBad.has(one.interactionId) }));
  expect(await countersOf(system.db)).toEqual(recount(expected));
  for (const { workspaceId, interactionId } of [scanned, raised, changed]) {
    const line = expect.objectContaining({ err: expect.any(Error), workspaceId, interactionId });
    expect(warned).toHaveBeenCalledWith(line, 'an interaction cannot be counted and is unknown');
  }

  const later = new Date();
  await eventually(async () => expect(await system.asOf()).toSatisfy((asOf: Date) => asOf > later));
  await change([{ ...answer(answer(changed)), version: 9 }]);
  await eventually(async () => expect(await countUnknown(system.db)).toBe(2));
});

test('an event that cannot be handled holds back the figures of its workspace only, until a rebuild', async () => {
  const client = await system.startReplica();
  await system.live();
  const [bad, good] = [uuidv7(), uuidv7()];
  await system.interactions.raiseBroken(bad);
  await eventually(async () => expect(await countBehind(system.db)).toBe(1));
  await eventually(async () => expect(await asOf(good)).toBeGreaterThan(await asOf(bad)));
  const stuck = await asOf(bad);
  await eventually(async () => expect(await asOf(good)).toBeGreaterThan(stuck + 1_000));
  expect(await asOf(bad)).toBe(stuck);

  await system.admin.query("update insight.event_put_aside set raised_at = raised_at - interval '2 minutes'");
  await client.startRebuild({}, call);
  await eventually(async () => expect(await asOf(bad)).toBe(await asOf(good)));
  expect(await countBehind(system.db)).toBe(0);
});

test('changes that cannot be counted hold back the figures of their workspace only', async () => {
  await system.startReplica();
  await system.live();
  const [bad, good] = [openConversation(uuidv7()), openConversation(uuidv7())];
  await start([bad, good]);
  await system.countedAll();
  system.interactions.onFacts = (of) => {
    if (of.some(({ workspaceId }) => workspaceId === bad.workspaceId)) throw new Error('they cannot be read');
  };
  await change([answer(bad), answer(good)]);
  await eventually(async () => expect(await countBehind(system.db)).toBe(1));
  const stuck = await asOf(bad.workspaceId);
  await eventually(async () => expect(await asOf(good.workspaceId)).toBeGreaterThan(stuck + 1_000));
  expect(await asOf(bad.workspaceId)).toBe(stuck);

  system.interactions.onFacts = () => {};
  await eventually(async () => expect(await asOf(bad.workspaceId)).toBeGreaterThan(stuck + 1_000));
  expect(await countBehind(system.db)).toBe(0);
  await system.countedAll();
});

test.each([
  ['has lost the lease', false],
  ['has lost the lease and has it again', true],
])('a replica that %s during its round does not move the time of the figures back', async (_, returns) => {
  const { db, facts, log, admin, interactions } = system;
  const replica = uuidv7();
  const round = async (): Promise<void> => {
    const held = await claimLease(db, replica);
    if (!held) return expect.unreachable('no other replica has the lease');
    await doRound({ db, facts, log, logger, inbox: inboxOf(db, durable), held }, signal);
  };
  await round();
  await admin.query("update insight.generation set state = 'live'");
  await round();
  expect(await system.asOf()).toBeDefined();

  // Another replica takes over and goes on while the first one waits for its answer.
  interactions.onLog = async () => {
    interactions.onLog = () => {};
    const other = uuidv7();
    await admin.query("update insight.lease set held_until = '-infinity'");
    expect(await claimLease(db, other)).toBeDefined();
    await admin.query("update insight.freshness set cursor = '7.', as_of = '2100-01-01'");
    if (!returns) return;
    await releaseLease(db, other);
    // As a scan does beside the round.
    expect(await claimLease(db, replica)).toBeDefined();
  };
  await round();
  expect(await system.asOf()).toEqual(new Date('2100-01-01'));
  expect(await admin.query('select cursor from insight.freshness')).toEqual([{ cursor: '7.' }]);
});

test('interactions that are in another database server are counted again', async () => {
  await system.startReplica();
  await system.live();
  await start([openConversation()]);
  await system.countedAll();
  await system.admin.query('update insight.figure set n = n + 1');
  system.interactions.server = 'two';
  await system.countedAll();
});

test('changes that were committed before facts of an earlier time are counted again', async () => {
  const { db, admin } = system;
  await admin.query("insert into insight.generation (state) values ('live')");
  await admin.query("insert into insight.freshness (server) values ('one')");
  const [first, second] = [openConversation(), openConversation()];
  const count = (facts: ConversationFacts, horizon: number, server = 'one'): Promise<void> =>
    countFacts({ db, logger }, { read: [{ ...facts, facts }], horizon, server }, generationIds);
  const places = async (): Promise<number[]> => (await listPlaces(db)).map(({ transaction }) => transaction);
  await count(first, 20);
  await count(second, 10);
  expect(await places()).toEqual([10]);
  await forgetPlaces(db);
  expect(await places()).toEqual([10]);
  for (const one of [first, second]) await count({ ...answer(one), status: 'Completed' }, 30);
  await forgetPlaces(db);
  expect(await places()).toEqual([]);
  // The transactions of another server say nothing about this server's.
  await count(openConversation(), 20, 'before');
  expect(await places()).toEqual([0]);
});
