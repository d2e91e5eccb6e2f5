import { interactionCreated } from '@parley/contracts/events';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { inboxOf } from '@parley/events/inbox';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { countEvents, scanPage, types } from '../src/counting/facts.ts';
import { durable, readLive } from '../src/generations/generation-store.ts';
import { doRound } from '../src/rounds/round.ts';
import { claimLease, countBehind, releaseLease } from '../src/rounds/store.ts';
import { createConversation, randomFrom } from './conversations.ts';
import { call, startSystem, type System } from './system.ts';

const random = randomFrom(48);
const { signal } = new AbortController();

/** A system without a replica: nobody handles events, except for the test. */
async function startBacklog() {
  const system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
  const { db, facts, interactions } = system;
  const inbox = inboxOf(db, durable);
  const replica = uuidv7();
  const list = async (): Promise<LoggedEvent[]> => {
    const { events } = await system.log.listEvents({ after: '', types: [], limit: 0, fromNow: false }, call);
    return events;
  };
  let raised = 0;
  return {
    ...system,
    /** Does a round. Pages of the log have at most so many events. Returns whether it is to be repeated soon. */
    round: async (limit = 0): Promise<boolean> => {
      const held = await claimLease(db, replica);
      if (!held) return expect.unreachable('no other replica has the lease');
      const log: System['log'] = {
        listEvents: (request, options) => system.log.listEvents({ ...request, limit }, options),
      };
      const isSoon = await doRound({ db, facts, log, logger, inbox, held }, signal);
      await releaseLease(db, replica);
      return isSoon;
    },
    /** Creates interactions of a workspace, and returns their events. */
    raise: async (workspaceId: string, count = 1): Promise<LoggedEvent[]> => {
      const created = Array.from({ length: count }, () => createConversation(random).facts);
      await interactions.change(
        created.map((one) => ({ facts: { ...one, workspaceId }, event: interactionCreated })),
      );
      raised += count;
      await eventually(async () => expect(await list()).toHaveLength(raised));
      return (await list()).slice(-count);
    },
    /** Handles events as the consumer does. */
    handle: async (events: readonly LoggedEvent[]): Promise<void> => {
      const received = events.map(({ id, workspaceId, about }) => {
        const message = { workspaceId, interactionId: about };
        const [type] = types;
        if (!type) return expect.unreachable('interactions raise events');
        return { id, type, message, raisedAt: new Date(), traceparent: undefined };
      });
      const ids = events.map(({ id }) => id);
      await countEvents({ db, facts, logger })(received, (trx) => inbox.take(trx, ids), { signal });
    },
    cursor: async (): Promise<string | undefined> => {
      const [row] = await system.admin.query<{ cursor: string }>('select cursor from insight.freshness');
      return row?.cursor;
    },
    /** Returns until when the figures of a workspace have everything, in milliseconds. */
    asOfOf: async (workspaceId: string): Promise<number> => {
      const live = await readLive(db, workspaceId);
      return live.isLive ? live.asOf.getTime() : Number.NaN;
    },
  };
}

/** The first build has ended. */
async function startLiveBacklog() {
  const system = await startBacklog();
  await system.round();
  await system.admin.query("update insight.generation set state = 'live'");
  await system.round();
  return system;
}

const raisedAt = (event: LoggedEvent | undefined): number => event?.raisedAt?.getTime() ?? Number.NaN;

test('events that are not handled age the figures of their workspaces only', async () => {
  const system = await startLiveBacklog();
  const { asOfOf, raise, round, handle, db } = system;
  const [late, other] = [uuidv7(), uuidv7()];
  const early = await raise(late, 2);
  const oldest = raisedAt(early[0]);
  expect(await round()).toBe(true);
  expect(await asOfOf(late)).toBe(oldest);
  const first = await asOfOf(other);
  expect(first).toBeGreaterThan(oldest);

  const [third] = await raise(late);
  await handle(await raise(other));
  expect(await round()).toBe(true);
  expect(await asOfOf(late)).toBe(oldest);
  expect(await asOfOf(other)).toBeGreaterThan(first);
  for (const [seconds, count] of [
    [9, 0],
    [11, 1],
  ]) {
    const since = `select as_of - interval '${seconds} seconds' from insight.freshness`;
    await system.admin.query(`update insight.events_behind set since = (${since})`);
    expect(await countBehind(db)).toBe(count);
  }

  await handle(early);
  await round();
  expect(await asOfOf(late)).toBe(raisedAt(third));
  const now = Date.now();
  await system.interactions.age();
  await system.startReplica();
  await eventually(async () => expect(await asOfOf(late)).toBeGreaterThan(now));
  await system.countedAll();
  expect(await system.admin.query('select from insight.events_behind')).toEqual([]);
});

test('an event that is committed long after it was raised does not move a time back', async () => {
  const { asOfOf, raise, round, interactions } = await startLiveBacklog();
  const late = uuidv7();
  const before = await asOfOf(late);
  await raise(late);
  await interactions.age();
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await round();
    expect(await asOfOf(late)).toBe(before);
  }
  expect(await asOfOf(uuidv7())).toBeGreaterThan(before);
});

test('the cursor stays before the first event that is not handled, and each is counted once', async () => {
  const system = await startLiveBacklog();
  const { cursor, raise, round, handle, interactions } = system;
  const events = await raise(uuidv7(), 5);
  const [third, fourth, fifth] = events.slice(2);
  await handle(events.filter((event) => event !== fourth));
  // Pages of two: the first one is handled, and a part of the second one.
  for (let rounds = 0; rounds < 2; rounds += 1) {
    expect(await round(2)).toBe(true);
    expect(await cursor()).toBe(third?.cursor);
  }
  const asked = new Set<string>();
  interactions.onFacts = (of) => {
    for (const { interactionId } of of) asked.add(interactionId);
  };
  await interactions.age();
  await system.startReplica();
  await eventually(async () => expect(await cursor()).toBe(fifth?.cursor));
  await system.countedAll();
  expect([...asked]).toEqual([fourth?.about]);
});

test('with more events than a round reads, the time of all stays, and the cursor goes on', async () => {
  const system = await startLiveBacklog();
  const { asOfOf, cursor, raise, round, handle } = system;
  const other = uuidv7();
  const before = await asOfOf(other);
  const events = await raise(uuidv7(), 41);
  await handle(events.slice(0, 1));
  // Not soon, so that the consumer has the time.
  expect(await round(1)).toBe(false);
  expect(await asOfOf(other)).toBe(before);
  expect(await cursor()).toBe(events[0]?.cursor);
  // There are 40 left, and behind a page of one there may be more.
  expect(await round(1)).toBe(false);
  expect(await asOfOf(other)).toBe(before);
  await handle(events.slice(1, 2));
  await round(1);
  expect(await asOfOf(other)).toBe(before);
  await round(1);
  expect(await asOfOf(other)).toBeGreaterThan(before);
});

test('the first build ends beside events that are not handled, whose workspaces are behind', async () => {
  const { asOfOf, raise, round, db, facts } = await startBacklog();
  await round();
  const [late, other] = [uuidv7(), uuidv7()];
  const [oldest] = await raise(late, 2);
  expect(await scanPage({ db, facts, logger }, signal)).toBe(false);
  await round();
  expect(await asOfOf(late)).toBe(raisedAt(oldest));
  expect(await asOfOf(other)).toBeGreaterThan(raisedAt(oldest));
});

test('as_of rises, but for its workspace not beyond an event that is not handled', async () => {
  const system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
  const { interactions } = system;
  await system.startReplica();
  await system.live();
  const conversation = createConversation(randomFrom(1));
  const timeOf = async (): Promise<number> => {
    const live = await readLive(system.db, conversation.facts.workspaceId);
    return live.isLive ? live.asOf.getTime() : 0;
  };
  const first = await timeOf();
  await eventually(async () => expect(await timeOf()).toBeGreaterThan(first));

  const { promise, resolve } = Promise.withResolvers<void>();
  interactions.onFacts = () => promise;
  await interactions.change([conversation]);
  const [clock] = await system.admin.query<{ now: Date }>('select clock_timestamp() as now');
  const now = clock?.now.getTime() ?? Number.NaN;
  let reads = 0;
  interactions.onLog = () => {
    reads += 1;
  };
  // A round that begins now, the catch-up, and a round that does not wait.
  await eventually(() => expect(reads).toBeGreaterThan(2));
  expect(await timeOf()).toBeLessThanOrEqual(now);
  interactions.onFacts = () => {};
  resolve();
  await eventually(async () => expect(await timeOf()).toBeGreaterThan(now));
  await system.countedAll();
});

test('another replica continues when one stops', async () => {
  const system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
  await system.startReplica();
  await system.live();
  await system.startReplica();
  await system.stopFirst();
  const stoppedAt = new Date();
  await eventually(async () => expect(await system.asOf()).toSatisfy((asOf: Date) => asOf > stoppedAt));
});
