import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { attacks } from '../fuzz/attacks.ts';
import { fuzzOperations } from '../fuzz/run.ts';
import { fuzzServices } from '../fuzz/services.ts';
import {
  attackFault,
  createSocketTarget,
  fuzzSockets,
  type SocketTarget,
  slowClients,
  slowFault,
} from '../fuzz/sockets.ts';

// The short form of `npm run fuzz`, on a system that other tests use concurrently, with a new seed each time. The
// message of a failure has the seed for `npm run fuzz -- --seed`.

const { baseUrl, processes } = inject('local');
const operator = inject('operator');
const seed = Date.now() % 1_000_000_000;
const seeded = `seed ${seed}`;

let target: SocketTarget;
beforeAll(async () => {
  target = await createSocketTarget(baseUrl, operator);
});
afterAll(() => {
  expect(processes.filter(({ pid }) => !runs(pid))).toEqual([]);
});

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.concurrent('a thousand calls derived from the API’s description match it', async () => {
  const outcome = await fuzzOperations({
    baseUrl,
    operator,
    document: inject('openapi'),
    calls: 1_000,
    seed,
  });
  expect(outcome.faults, seeded).toEqual([]);
});

describe.concurrent('a connection with', () => {
  test.each(attacks)('$name', async (attack) => {
    expect(await attackFault(baseUrl, attack, target)).toBeUndefined();
  });
});

test('connections with mutated requests get valid answers, or none', async () => {
  const bent = await createSocketTarget(baseUrl, operator);
  expect(await fuzzSockets(baseUrl, bent, { connections: 100, seed }), seeded).toEqual([]);
});

test.concurrent('a slow client gets an error, and its connection is closed', async () => {
  const [first] = slowClients;
  expect(first && (await slowFault(baseUrl, first, target))).toBeUndefined();
});

test('hostile bytes do not crash a service', async () => {
  expect(await fuzzServices(operator, { connections: 20, seed }), seeded).toEqual([]);
});
