import { createClient } from '@parley/client';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startTestSystem, type TestSystem } from '@parley/testing/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Processes, processesOf } from './processes.ts';
import { npsBot } from './sample-bots.ts';

// The client against a failing service, and one with a low rate limit.

const stack = new AsyncDisposableStack();
let system: TestSystem;
let processes: Processes;

beforeAll(async () => {
  const env = { RATE_LIMIT_PER_SECOND: '10', RATE_LIMIT_BURST: '10' };
  system = stack.use(await startTestSystem({ restartable: true, env }));
  processes = processesOf(system);
});
afterAll(() => stack.disposeAsync());

/** A workspace, its calls by a patient client, and the number of sent requests. */
async function createPatientWorkspace(retries: number) {
  const { baseUrl } = system.local();
  const workspace = await createWorkspace(baseUrl, system.operator);
  const { id, apiKey, apiSecret } = workspace;
  const sent = { requests: 0, answers: 0 };
  const client = createClient({
    baseUrl,
    apiKey,
    apiSecret,
    retries,
    fetch: async (url, init) => {
      sent.requests += 1;
      const response = await fetch(url, init);
      sent.answers += 1;
      return response;
    },
  });
  return { ...client.workspace(id), workspace, sent };
}

test('a gateway that is killed during creations only costs time: each object is created once', async () => {
  const clients = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const client = await createPatientWorkspace(20);
      return { ...client, botId: await client.workspace.publish(npsBot) };
    }),
  );
  const eachMakes = 8;
  const makeAll = clients.map(async ({ interactions, botId }) => {
    const ids: string[] = [];
    // Two at a time, so some are always in flight.
    const makeHalf = async (): Promise<void> => {
      for (let count = 0; count < eachMakes / 2; count += 1) {
        ids.push((await interactions.create({ customerId: 'c', botId })).id);
      }
    };
    await Promise.all([makeHalf(), makeHalf()]);
    return ids;
  });
  await eventually(() => expect(clients.some(({ sent }) => sent.answers > 2)).toBe(true), { everyMs: 1 });
  await processes.end('gateway', 'SIGKILL');
  const made = await Promise.all(makeAll);

  // Some had no answer, and were retried.
  expect(clients.some(({ sent }) => sent.requests > sent.answers)).toBe(true);
  for (const [index, { interactions }] of clients.entries()) {
    const kept: string[] = [];
    for await (const { id } of interactions.list()) kept.push(id);
    expect(kept).toHaveLength(eachMakes);
    expect(kept.toSorted()).toEqual(made[index]?.toSorted());
  }
});

test('calls beyond the rate of a key all succeed, each after its Retry-After', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
  const patient = await createPatientWorkspace(20);
  await Promise.all(ids.map((id) => patient.customers.create({ id })));
  expect(patient.sent.requests).toBeGreaterThan(ids.length);
  expect((await patient.customers.list()).meta.totalResults).toBe(ids.length);

  const hasty = await createPatientWorkspace(0);
  const outcomes = await Promise.allSettled(ids.map((id) => hasty.customers.get(id)));
  const reasons: unknown[] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  expect(reasons).toContainEqual(
    expect.objectContaining({ status: 429, type: 'rate-limited', retryAfterSeconds: 1 }),
  );
});
