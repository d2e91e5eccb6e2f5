import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Completed, completed, type System, startSystem } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

/** Far more than two seconds for each batch, because the machine may be busy. */
const othersMsMax = 20_000;

const idOf = ({ headers }: ReceivedRequest): string => String(headers['webhook-id']);

const idsOf = (all: readonly Completed[]): string[] => all.map(({ id }) => id).toSorted();

test('large bodies that take long delay no event of another workspace in the same batch', async () => {
  await using ofLarge = await startReceiver();
  await using ofSmall = await startReceiver();
  const small = randomUUID();
  await system.createWebhook({ workspaceId: small, url: ofSmall.url });
  const body = Buffer.from(JSON.stringify({ transcript: 'x'.repeat(256 * 1024) }));
  // Each large workspace is new, because events of one whose events wait are in no batch.
  const rounds = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const workspaceId = randomUUID();
      await system.createWebhook({ workspaceId, url: ofLarge.url });
      return Array.from({ length: 90 }, (_, at) =>
        at % 10 === 9 ? completed({ workspaceId: small }) : completed({ workspaceId, body }),
      );
    }),
  );
  const [own, others] = [true, false].map((isOwn) =>
    rounds.flat().filter(({ workspaceId }) => (workspaceId !== small) === isOwn),
  ) as [Completed[], Completed[]];
  const ofOwn = new Set(own.map(({ interactionId }) => interactionId));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  using _ = { [Symbol.dispose]: release };
  system.interactions.onAnswer = async (ids) => void (ids.some((id) => ofOwn.has(id)) && (await released));
  const startedAtMs = performance.now();
  for (const [round, events] of rounds.entries()) {
    await system.raise(events);
    await eventually(() => expect(ofSmall.requests).toHaveLength(9 * (round + 1)));
  }
  expect(performance.now() - startedAtMs).toBeLessThan(othersMsMax);
  expect(ofSmall.requests.map(idOf).toSorted()).toEqual(idsOf(others));
  expect(ofLarge.requests).toEqual([]);
  release();
  await eventually(() => expect(ofLarge.requests.map(idOf).toSorted()).toEqual(idsOf(own)));
});
