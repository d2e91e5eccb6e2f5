import type { JetStreamManager } from '@nats-io/jetstream';
import { stream } from '@parley/contracts/events';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrived, event, events, idsOf, startPipeline, type Pipeline } from './pipeline.ts';

/** The outbox is empty once the receiver has confirmed all. */
async function settled(system: Pipeline, reconciliation: { wake(): void }): Promise<void> {
  await system.age();
  reconciliation.wake();
  await eventually(async () => expect(await system.outbox()).toEqual([]));
}

test('events that a broker accepted and lost with its disk are republished', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const before = events(20);
  await system.raise(before);
  relay.wake();
  await system.onTheBus(before.length);
  await system.nats.start({ wipe: true });
  await system.startConsumer();
  await system.age();
  const reconciliation = system.startReconciliation();
  await arrived(system, idsOf(before), 20_000);
  await settled(system, reconciliation);
});

describe('events arrive by', () => {
  let system: Pipeline;
  let relay: { wake(): void };
  beforeAll(async () => {
    system = await startPipeline();
    relay = system.startRelay();
    await system.startConsumer();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const raiseAll = async (count: number): Promise<string[]> => {
    const raised = events(count);
    await system.raise(raised);
    relay.wake();
    return idsOf(raised);
  };

  test.each<[string, (manager: JetStreamManager) => Promise<unknown>]>([
    ['stream', ({ streams }) => streams.delete(stream.name)],
    ['durable', ({ consumers }) => consumers.delete(stream.name, 'test')],
    ['stream and durable, after the loss of their disk', () => system.nats.start({ wipe: true })],
  ])('a recreated %s', async (_name, remove) => {
    system.handled.length = 0;
    const before = await raiseAll(20);
    await arrived(system, before);
    // Events that are handled but not yet acknowledged would be redelivered.
    await system.onTheBus(0);
    await remove((await system.streams()).manager);
    const after = await raiseAll(5);
    await arrived(system, [...before, ...after].toSorted(), 20_000);
  });
});

test('events that were acknowledged and purged, or deleted one by one, are republished, and no others', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const { streams } = (await system.streams()).manager;
  const purged = events(20);
  await system.raise(purged);
  relay.wake();
  await system.onTheBus(purged.length);
  await streams.purge(stream.name);

  const others = events(30);
  await system.raise(others);
  relay.wake();
  await system.onTheBus(others.length);
  const { first_seq: first } = (await streams.info(stream.name)).state;
  for (let seq = first; seq < first + others.length; seq += 3)
    await streams.deleteMessage(stream.name, seq, false);
  await system.startConsumer();
  await eventually(() => expect(system.handled).toHaveLength(20));

  await system.age();
  const reconciliation = system.startReconciliation();
  await arrived(system, idsOf([...purged, ...others]));
  await settled(system, reconciliation);
});

test('events in the stream are neither checked nor republished while their receiver is unavailable', async () => {
  await using system = await startPipeline();
  system.startRelay();
  const lost = event();
  await system.raise([lost]);
  await system.onTheBus(1);
  const { streams } = (await system.streams()).manager;
  await streams.purge(stream.name);
  await system.age();
  await system.age();
  const waiting = events(50);
  await system.raiseAsSent(waiting);
  const reconciliation = system.startReconciliation();
  await system.onTheBus(waiting.length + 1);
  reconciliation.wake();
  expect(system.asked).toEqual([[lost.interactionId]]);

  await system.startConsumer();
  await arrived(system, idsOf([lost, ...waiting]));
  await settled(system, reconciliation);
});

test('replicas that check the same lost events republish each once', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const lost = events(100);
  await system.raise(lost);
  relay.wake();
  await system.onTheBus(lost.length);
  await (await system.streams()).manager.streams.purge(stream.name);
  await system.age();

  // All have read before any of them acts, and the last one acts after the events have arrived.
  const answers = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const questions = [...answers];
  system.onQuestion = () => questions.shift()?.promise;
  for (let replica = 0; replica < answers.length; replica += 1) system.startReconciliation();
  await eventually(() => expect(system.asked).toHaveLength(answers.length));
  await system.startConsumer();
  for (const answer of answers.slice(0, -1)) answer.resolve();
  await arrived(system, idsOf(lost));
  answers.at(-1)?.resolve();
  const last = event();
  await system.raise([last]);
  relay.wake();
  await eventually(() => expect(system.handled).toContain(last.interactionId));
  await arrived(system, idsOf([...lost, last]));
  await eventually(async () => {
    const unpublished = (await system.outbox()).filter(({ publishedAt }) => publishedAt === null);
    expect(unpublished).toEqual([]);
  });
});
