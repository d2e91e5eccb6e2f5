import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { createClient } from '@parley/client';
import { beforeAll, expect, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Replicated } from './system.ts';

/** A contact policy is exact, whichever gateways and replicas decide. */
export function contactPolicyTests(of: () => Replicated): void {
  let workspace: TestWorkspace;
  let baseUrls: string[];
  let botId: string;
  beforeAll(async () => {
    const { system } = of();
    const { gateways } = system.local();
    baseUrls = gateways;
    workspace = await eventually(() => createWorkspace(system.local().baseUrl, system.operator));
    botId = await workspace.publish(npsBot);
  });

  test('of 200 offers at once over three gateways, one succeeds', async () => {
    expect(baseUrls).toHaveLength(3);
    await workspace.client.contactPolicy.update({ anyBot: { count: 1, days: 30 } });
    const { id, apiKey, apiSecret } = workspace;
    const clients = baseUrls.map((baseUrl) => createClient({ baseUrl, apiKey, apiSecret }).workspace(id));
    const offers = await Promise.allSettled(
      Array.from({ length: 200 }, async (_, n) =>
        clients[n % 3]?.interactions.create({ customerId: 'ada', botId, status: 'Pending' }),
      ),
    );
    const rejected = offers.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(199);
    for (const one of rejected) expect(one).toMatchObject({ reason: { type: 'contact-limit' } });
    expect((await workspace.client.interactions.list({ customerId: 'ada' })).meta.totalResults).toBe(1);
  });
}
