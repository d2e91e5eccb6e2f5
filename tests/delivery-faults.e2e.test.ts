import { expect, test } from 'vitest';
import { faults } from './delivery-faults/faults.ts';
import { runFaults } from './delivery-faults/run.ts';
import { createWorld } from './delivery-faults/world.ts';

// The short form of `npm run faults`, with a new seed each time. The message of a failure has the seed for `npm run
// faults -- --seed`.

test('every completion is delivered, recorded and finished while processes die', async () => {
  const seed = Date.now() % 1_000_000_000;
  await using world = await createWorld({ replicas: 2, seed });
  const outcome = await runFaults({
    world,
    rounds: 5,
    seed,
    faults: faults.filter(({ healsSlowly }) => !healsSlowly),
    completionsPerSecond: 10,
    pauseMs: 500,
    roundsPerAccount: 5,
  });
  const struck = outcome.strikes.map(({ name }) => name);
  expect(outcome.faults, `seed ${seed}: ${struck.join('; ')}`).toEqual([]);
  expect(outcome.account.completed).toBeGreaterThan(20);
});
