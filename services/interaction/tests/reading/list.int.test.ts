import type {
  Interaction,
  ListCustomerInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from '../definitions.ts';
import {
  call,
  type Interactions,
  nothingMore,
  startInteractions,
  workspaceOf,
  type Workspace,
} from '../fixture.ts';

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
  it('has pages, newest first, each interaction once, and the exact total on every page', async () => {
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
    expect(await workspace.list({ page: 2 })).toEqual({ interactions: [], total: 1, ...nothingMore });
    expect(await workspace.list({ page: 100_000, pageSize: 50 })).toEqual({
      interactions: [],
      total: 1,
      ...nothingMore,
    });
  });

  it('has the exact total, however many bots its workspace has', async () => {
    await workspace.create({ botId });
    await sql`
      insert into interaction_count (workspace_id, bot_id, status, priority, slot, n)
      select ${workspace.workspaceId}, uuidv7(), 'Draft', 'Low', 0, 2 from generate_series(1, 2500)`.execute(
      system.db,
    );
    expect(await workspace.list({})).toMatchObject({ total: 5_001, interactions: [{ botId }] });
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
      status: [undefined, 'Pending' as const, 'Expired' as const],
      priority: [undefined, 'High' as const],
      customerId: [undefined, 'ada', 'nobody'],
      botId: [undefined, botId, uuidv7(), 'not-a-uuid'],
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

  it('counts an overdue one as Expired, before any sweep', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 0.05 });
    await workspace.create({ botId, status: 'Pending' });
    await eventually(async () => expect((await workspace.list({ status: 'Expired' })).total).toBe(1));
    const { interactions } = await workspace.list({ status: 'Expired' });
    expect(interactions).toMatchObject([{ id, status: 'Expired' }]);
    expect((await workspace.list({ status: 'Pending' })).total).toBe(1);
    expect((await workspace.list()).total).toBe(2);
  });

  it('keeps its totals during concurrent changes', async () => {
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

describe('large interactions', () => {
  const dataBytes = 397_000;
  /**
   * Sets a transcript of this many bytes on all interactions of the workspace, as rows from before the limit may have.
   */
  const enlarge = (bytes: number) =>
    sql`
    update interaction set evaluation = '{}', transcript = json_build_array(json_build_object(
      'seq', 1, 'type', 'bot', 'body', repeat('x', ${bytes}), 'timestamp', 1.5))
    where workspace_id = ${workspace.workspaceId}`.execute(system.db);
  const partBytesMax = 256 * 1024;
  const isWithinLimit = (interactions: Interaction[]): boolean =>
    interactions.length === 1 ||
    Buffer.byteLength(interactions.map(({ data }) => data).join('')) <= partBytesMax;
  const make = async (count: number): Promise<string[]> => {
    const made = await Promise.all(Array.from({ length: count }, () => workspace.create({ botId })));
    return made
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
  };

  it.each([
    [12, dataBytes],
    [60, 20_000],
  ])('are listed in parts of 256 KiB, each once: %i of %i bytes', async (count, bytes) => {
    const made = await make(count);
    await enlarge(bytes);
    const customer = { workspaceId: workspace.workspaceId, customerId: 'ada' };
    const { total, digest } = await workspace.list({ pageSize: 50 });
    expect([total, digest]).toEqual([count, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const ways: [expected: string[], load: (after?: string) => Promise<ListCustomerInteractionsResponse>][] =
      [
        [made, (after) => system.interactions.listCustomerInteractions({ ...customer, after }, call)],
        [made.slice(0, 10), (after) => workspace.list({ pageSize: 10 - (after ? listed.length : 0), after })],
        [made.slice(-2), (after) => workspace.list({ page: count / 2, pageSize: 2, after })],
      ];
    let listed: string[] = [];
    for (const [expected, load] of ways) {
      listed = [];
      for (let after: string | undefined, isFirst = true; isFirst || after; isFirst = false) {
        const { interactions, nextAfter } = await load(after);
        expect(interactions.length > 0 && isWithinLimit(interactions)).toBe(true);
        listed.push(...interactions.map(({ id }) => id));
        after = nextAfter ?? undefined;
        if (listed.length >= expected.length) break;
      }
      expect(listed).toEqual(expected);
    }
  });

  it('are not in the answer to a caller that wants only a short list', async () => {
    await make(2);
    const customer = { workspaceId: workspace.workspaceId, customerId: 'ada', onlyShort: true };
    const load = () =>
      Promise.all([
        system.interactions.listCustomerInteractions(customer, call),
        workspace.list({ onlyShort: true }),
      ]);
    for (const list of await load()) expect(list).toMatchObject({ interactions: [{}, {}], isLong: null });
    await enlarge(dataBytes);
    for (const list of await load()) expect(list).toMatchObject({ interactions: [], isLong: true });
    for (const list of [await workspace.list({ onlyShort: true, pageSize: 1 })]) {
      expect(list).toMatchObject({ interactions: [{}], isLong: null });
    }
  });

  it('have a digest that changes with each of them', async () => {
    const made = await make(4);
    await enlarge(dataBytes);
    const customer = { workspaceId: workspace.workspaceId, customerId: 'ada' };
    const digest = async () => (await system.interactions.listCustomerInteractions(customer, call)).digest;
    const before = await digest();
    expect(await digest()).toBe(before);
    await workspace.update(made.at(-1) ?? '', { priority: 'High' });
    expect(await digest()).not.toBe(before);
  });
});
