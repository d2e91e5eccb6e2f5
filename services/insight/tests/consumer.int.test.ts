import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startSystem, type System } from './system.ts';
import { converse } from './traffic.ts';

let system: System;

beforeEach(async () => {
  system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
});

test('changes with and without events are counted, also by two replicas', async () => {
  await system.startReplica();
  await system.startReplica();
  await system.live();
  await converse(system.interactions, 1, 20);
  expect(system.interactions.facts.size).toBeGreaterThan(300);
  await system.countedAll();
});

test('a replay of all events changes nothing', async () => {
  await system.startReplica();
  await system.live();
  await converse(system.interactions, 2, 5);
  await system.countedAll();
  await system.interactions.replay();
  await converse(system.interactions, 3, 1);
  await system.countedAll();
});

test('a stream that loses its events and a broker that stops lose no change', async () => {
  const { interactions, nats } = system;
  await system.startReplica();
  await system.live();
  await interactions.subscribed();
  await nats.stop();
  await converse(interactions, 4, 5);
  await nats.start({ wipe: true });
  await converse(interactions, 5, 5);
  await interactions.age();
  await system.countedAll();
});

test('what changes while the service is stopped is counted after its start', async () => {
  await system.startReplica();
  await system.live();
  await converse(system.interactions, 6, 3);
  await system.stopFirst();
  await converse(system.interactions, 7, 3);
  await system.interactions.age();
  await system.startReplica();
  await system.countedAll();
});
