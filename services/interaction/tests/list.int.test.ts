import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from './definitions.ts';
import { call, type Interactions, startInteractions, workspaceOf, type Workspace } from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

describe('the list', () => {
  it('has pages, newest first, each interaction once, and the exact total on each', async () => {
    const made: string[] = [];
    for (let index = 0; index < 53; index += 1) made.push((await workspace.create({ botId })).id);
    const listed: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { interactions, total } = await workspace.list({ page, pageSize: 20 });
      expect(total).toBe(53);
      listed.push(...interactions.map((interaction) => interaction.id));
    }
    expect(listed).toEqual(made.toReversed());
  });

  it('is empty past the last page, with the true total', async () => {
    await workspace.create({ botId });
    expect(await workspace.list({ page: 2 })).toEqual({ interactions: [], total: 1 });
    expect(await workspace.list({ page: 100_000, pageSize: 50 })).toEqual({ interactions: [], total: 1 });
  });

  it('has exact totals under every combination of filters', async () => {
    const otherBot = await workspace.publish(notice);
    const statuses: Interaction['status'][] = ['Draft', 'Pending', 'Completed'];
    const priorities: Interaction['priority'][] = ['Low', 'High'];
    const all = [];
    for (const [index, customerId] of ['ada', 'grace', 'ada', 'ada', 'grace', 'ada', 'alan'].entries()) {
      const fields = {
        botId: index % 3 === 0 ? otherBot : botId,
        status: statuses[index % 3],
        priority: priorities[index % 2],
        customerId,
      };
      const { id } = await workspace.create(fields);
      all.push({ id, ...fields });
    }
    const options = {
      status: [undefined, ...statuses, 'Expired' as const],
      priority: [undefined, ...priorities],
      customerId: [undefined, 'ada', 'grace', 'nobody'],
      botId: [undefined, botId, otherBot, uuidv7(), 'not-a-uuid'],
    };
    for (const status of options.status) {
      for (const priority of options.priority) {
        for (const customerId of options.customerId) {
          for (const bot of options.botId) {
            const filters = {
              ...(status && { status }),
              ...(priority && { priority }),
              ...(customerId && { customerId }),
              ...(bot && { botId: bot }),
            };
            const expected = all.filter((row) =>
              Object.entries(filters).every(([key, value]) => row[key as 'id'] === value),
            );
            const { interactions, total } = await workspace.list(filters);
            expect(total).toBe(expected.length);
            expect(interactions.map((row) => row.id)).toEqual(expected.map((row) => row.id).toReversed());
          }
        }
      }
    }
  });

  it('counts one that has come to its end as Expired, before any sweep', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 0.05 });
    await workspace.create({ botId, status: 'Pending' });
    await eventually(async () => expect((await workspace.list({ status: 'Expired' })).total).toBe(1));
    const { interactions } = await workspace.list({ status: 'Expired' });
    expect(interactions).toMatchObject([{ id, status: 'Expired' }]);
    expect((await workspace.list({ status: 'Pending' })).total).toBe(1);
    expect((await workspace.list()).total).toBe(2);
  });

  it('keeps its totals while many are changed at the same time', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => workspace.create({ botId, status: 'Pending' })),
    );
    await Promise.all(
      made.map(({ id }, index) =>
        workspace.update(
          id,
          index % 2 === 0 ? { status: 'Completed' } : { priority: 'High', status: 'Draft' },
        ),
      ),
    );
    expect((await workspace.list({ status: 'Completed' })).total).toBe(15);
    expect((await workspace.list({ status: 'Draft', priority: 'High' })).total).toBe(15);
    expect((await workspace.list({ status: 'Pending' })).total).toBe(0);
    expect((await workspace.list()).total).toBe(30);
  });
});

describe("a customer's interactions", () => {
  it('are all there, newest first, with label, context and history', async () => {
    const { workspaceId } = workspace;
    const first = await workspace.create({ botId, context: { plan: 'gold' } });
    await workspace.create({ botId, customerId: 'grace' });
    const second = await workspace.create({ botId, status: 'InProgress' });
    const { interactions } = await system.interactions.listCustomerInteractions(
      { workspaceId, customerId: 'ada' },
      call,
    );
    expect(interactions).toEqual([second, first]);
  });
});
