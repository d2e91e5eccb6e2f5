import { eventually } from '@parley/testing/eventually';
import { expect, onTestFinished, test } from 'vitest';
import { createConversation, randomFrom } from './conversations.ts';
import { readLive } from '../src/generations/generation-store.ts';
import { startSystem } from './system.ts';

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
