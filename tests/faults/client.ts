import { createClient } from '@parley/client';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Faulty } from './system.ts';

/** Creates a workspace with a bot and a client that counts its requests and their answers. */
async function createCountingClient({ system }: Faulty) {
  const { baseUrl } = system.local();
  const { id, apiKey, apiSecret, publish } = await createWorkspace(baseUrl, system.operator);
  const sent = { requests: 0, answers: 0 };
  const client = createClient({
    baseUrl,
    apiKey,
    apiSecret,
    retries: 20,
    fetch: async (url, init) => {
      sent.requests += 1;
      const response = await fetch(url, init);
      sent.answers += 1;
      return response;
    },
  });
  return { ...client.workspace(id), botId: await publish(npsBot), sent };
}

export function clientTests(faulty: () => Faulty): void {
  test('a gateway that is killed during creations only costs time: each object is created once', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => createCountingClient(faulty())));
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
    await faulty().processes.end('gateway', 'SIGKILL');
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
}
