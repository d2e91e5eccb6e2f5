import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../delivery-faults/faults.ts';
import { reconciliationTests } from '../delivery-faults/reconciliation.ts';
import { runFaults } from '../delivery-faults/run.ts';
import { createWorld, type World } from '../delivery-faults/world.ts';

const seed = Date.now() % 1_000_000_000;
const stack = new AsyncDisposableStack();
let world: World;
beforeAll(async () => {
  world = stack.use(await createWorld({ replicas: 2, seed }));
});
afterAll(() => stack.disposeAsync());

// The short form of `npm run faults`, with a new seed each time. The message of a failure has the seed for `npm run
// faults -- --seed`. First: it checks all deliveries of the system.
test('every completion is delivered, recorded and finished while processes die', async () => {
  const outcome = await runFaults({
    world,
    rounds: 3,
    seed,
    faults: faults.filter(({ healsSlowly }) => !healsSlowly),
    completionsPerSecond: 6,
    pauseMs: 500,
    roundsPerAccount: 3,
  });
  const struck = outcome.strikes.map(({ name }) => name);
  expect(outcome.faults, `seed ${seed}: ${struck.join('; ')}`).toEqual([]);
  expect(outcome.account.completed).toBeGreaterThan(20);
});

describe('reconciliation', () => reconciliationTests(() => world));
