import { createClient } from '@parley/client';
import { ensureSecrets } from '@parley/local/files/secrets';
import { startTestSystem } from '@parley/testing/setup/system';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLoad } from '../../bench/noise/attack.ts';
import { loadOf } from '../../bench/noise/loads.ts';
import { type Calls, startCalls } from '../../bench/noise/victim.ts';
import type { World } from '../../bench/noise/tenants.ts';
import { createWorld, sizesOf } from '../../bench/noise/world.ts';

// The short form of `npm run bench:noise`, on a system of its own. It measures no times: a call fails if its answer is
// not 200, or takes longer than ten seconds.

/** The victim's calls of each kind that must end during a load. */
const callsDuringLoad = 8;
const callsPerSecond = 2;

const stack = new AsyncDisposableStack();
let world: World;
let calls: Calls;
beforeAll(async () => {
  const system = stack.use(await startTestSystem());
  const sessionKeys = await ensureSecrets(system.dataDir);
  world = await createWorld(system, sessionKeys, { sizes: sizesOf(6_000), conversations: 5_000 }, () => {});
  calls = stack.use(startCalls(world, callsPerSecond));
});
afterAll(() => stack.disposeAsync());

test.each(['deep-customers', 'expensive-bot', 'head-huge', 'get-huge', 'unknown-keys', 'costly-filters'])(
  'no call of another tenant fails during the load %s',
  async (name) => {
    await calls.settled();
    const before = calls.samples.length;
    const load = startLoad(world, loadOf(name));
    await load.begun;
    const begunAt = performance.now();
    await eventually(() => {
      const during = calls.samples.filter(({ dueAt }) => dueAt >= begunAt);
      const byKind = Map.groupBy(during, ({ kind }) => kind);
      expect([...byKind.values()].map((some) => some.length >= callsDuringLoad)).toEqual(Array(5).fill(true));
    });
    await load.stop();
    await calls.settled();
    const failed = calls.samples.slice(before).filter(({ failure }) => failure !== undefined);
    const moment = (atMs: number): number => Math.round(atMs - begunAt);
    expect(
      failed.map(
        ({ kind, failure, dueAt, ms }) =>
          `${kind}: ${failure}, from ${moment(dueAt)} ms to ${moment(dueAt + ms)} ms`,
      ),
    ).toEqual([]);
  },
);

test('the webhook of another tenant gets each event within ten seconds of costly filters', async () => {
  const { victim, attacker, port } = world;
  const clientOf = ({ workspaceId, apiKey, apiSecret }: typeof victim | typeof attacker) =>
    createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret }).workspace(workspaceId);
  await using receiver = await startReceiver();
  const { webhooks, interactions, bots } = clientOf(victim);
  const { id } = await webhooks.create({
    url: receiver.url,
    secretToken: crypto.randomUUID(),
    isActive: true,
    events: ['InteractionCreated'],
  });
  const load = startLoad(world, loadOf('costly-filters'));
  await load.begun;
  const { data } = await bots.list();
  for (let count = 1; count <= 5; count += 1) {
    await interactions.create({ customerId: 'ada', botId: data[0]?.id ?? '', status: 'Pending' });
    await eventually(() => expect(receiver.requests).toHaveLength(count), { timeoutMs: 10_000 });
  }
  // The load has done its work, however long that has taken.
  await eventually(async () => {
    const { meta } = await clientOf(attacker).interactions.list({ customerId: 'creator' });
    expect(meta?.totalResults).toBeGreaterThan(1_000);
  });
  const outcomes = await load.stop();
  expect(outcomes['200']).toBeGreaterThan(0);
  await webhooks.delete(id);
});
