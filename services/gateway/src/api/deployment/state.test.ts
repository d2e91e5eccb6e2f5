import { expect, test } from 'vitest';
import { createDeploymentState } from './state.ts';
import type { PeerName } from '../../peers.ts';

/** A deployment with a manual clock, whose replicas answer when they are told to. */
function setUp() {
  let atMs = 0;
  const unavailable: PeerName[] = [];
  const asked: (() => void)[] = [];
  const read = createDeploymentState({
    replicaStates: async () => {
      await new Promise<void>((resolve) => asked.push(resolve));
      return new Map();
    },
    unready: async () => unavailable,
    streamState: async () => undefined,
    now: () => atMs,
  });
  return { read, asked, unavailable, pass: (ms: number) => (atMs += ms) };
}

test('the replicas are asked by one reader at a time, and once a second', async () => {
  const { read, asked, pass } = setUp();
  const first = read();
  pass(5_000);
  expect([read(), asked.length]).toEqual([first, 1]);
  asked[0]?.();
  await first;
  const second = read();
  asked[1]?.();
  await second;
  pass(1_000);
  expect([read(), asked.length]).toEqual([second, 2]);
});

test.each([
  [[], true],
  [['interaction'], true],
  [['identity', 'interaction'], false],
] as [PeerName[], boolean][])('without %j the gateway is ready: %s', async (names, isReady) => {
  const { read, asked, unavailable } = setUp();
  unavailable.push(...names);
  const state = read();
  asked[0]?.();
  const { services } = await state;
  const gateway = services.find(({ name }) => name === 'gateway');
  expect(gateway?.replicas).toMatchObject([{ state: isReady ? 'ready' : 'not-ready' }]);
});
