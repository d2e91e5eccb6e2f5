import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Interaction } from '../insight/nps-workspace.ts';
import { npsBot, sampleBot } from '../conversations/sample-bots.ts';

// Seed: GET interactions. Contract, section 4.

const { baseUrl } = inject('local');
const nowhere = '01890000-0000-7000-8000-000000000000';

describe('the list', () => {
  let many: TestWorkspace;
  /** Oldest first. */
  const all: Interaction[] = [];
  /** The bot of each, which an interaction does not show. */
  const botOf = new Map<string, string>();
  const total = 120;

  beforeAll(async () => {
    many = await createWorkspace(baseUrl, inject('operator'));
    const bots = [await many.publish(npsBot), await many.publish(sampleBot('candidate-screening'))];
    const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
    const priorities = ['Low', 'Medium', 'High'];
    for (let index = 0; index < total; index += 1) {
      const fields = {
        customerId: `c${index % 7}`,
        botId: bots[index % 2] ?? '',
        status: statuses[index % 5],
        priority: priorities[index % 3],
      };
      const { body } = await many.api.post<Interaction>('/interactions', fields);
      all.push(body.data);
      botOf.set(body.data.id, fields.botId);
    }
  });

  const list = (query: string) => many.api.get<Interaction[]>(`/interactions${query}`);

  test('has 20 per page by default, newest first, each as in a single read', async () => {
    const { body } = await list('');
    expect(body.meta).toEqual({ totalResults: total, totalPages: 6, currentPage: 1, pageSize: 20 });
    expect(body.data).toEqual(all.toReversed().slice(0, 20));
  });

  test('its pages have each item once, in order', async () => {
    const ids: string[] = [];
    for (const page of [1, 2, 3])
      ids.push(...(await list(`?pageSize=50&page=${page}`)).body.data.map(({ id }) => id));
    expect(ids).toEqual(all.toReversed().map(({ id }) => id));
    const { body } = await list('?pageSize=50&page=4');
    expect([body.data, body.meta]).toEqual([
      [],
      { totalResults: total, totalPages: 3, currentPage: 4, pageSize: 50 },
    ]);
  });

  test('every combination of filters has the right rows and totals', async () => {
    const wanted = <T>(value: T | undefined, is: T): boolean => value === undefined || value === is;
    const combinations = [undefined, 'Draft', 'Pending', 'Completed'].flatMap((status) =>
      [undefined, 'Low', 'High'].flatMap((priority) =>
        [undefined, 'c3', 'nobody'].flatMap((customerId) =>
          [undefined, botOf.get(all[0]?.id ?? ''), nowhere].map((botId) => ({
            status,
            priority,
            customerId,
            botId,
          })),
        ),
      ),
    );
    for (const filter of combinations) {
      const expected = all
        .toReversed()
        .filter((one) => wanted(filter.status, one.status) && wanted(filter.priority, one.priority))
        .filter((one) => wanted(filter.customerId, one.customerId) && wanted(filter.botId, botOf.get(one.id)))
        .map(({ id }) => id);
      const query = new URLSearchParams({ pageSize: '50' });
      for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
      const { body } = await list(`?${query.toString()}`);
      expect(body.data.map(({ id }) => id)).toEqual(expected.slice(0, 50));
      expect(body.meta).toEqual({
        totalResults: expected.length,
        totalPages: Math.ceil(expected.length / 50),
        currentPage: 1,
        pageSize: 50,
      });
    }
  });

  test('totals follow a change of status and priority', async () => {
    const { id } = (await list('?status=Draft&pageSize=1')).body.data[0] ?? { id: '' };
    const totals = async () =>
      Promise.all(
        ['?status=Draft', '?status=Pending', '?priority=High', ''].map(
          async (query) => (await list(query)).body.meta?.totalResults ?? 0,
        ),
      );
    await many.api.patch(`/interactions/${id}`, { priority: 'Low' });
    const [draft = 0, pending = 0, high = 0, every = 0] = await totals();
    await many.api.patch(`/interactions/${id}`, { status: 'Pending', priority: 'High' });
    expect(await totals()).toEqual([draft - 1, pending + 1, high + 1, every]);
    await many.api.patch(`/interactions/${id}`, { status: 'Draft', priority: 'Low' });
    expect(await totals()).toEqual([draft, pending, high, every]);
  });

  test.each([
    ['status=Open', ['/query/status']],
    ['status=draft', ['/query/status']],
    ['status=', ['/query/status']],
    ['status=Draft&status=Pending', ['/query/status']],
    ['priority=Urgent', ['/query/priority']],
    ['botId=x', ['/query/botId']],
    ['customerId=', ['/query/customerId']],
    ['pageSize=51', ['/query/pageSize']],
    ['page=0', ['/query/page']],
    [
      'page=0&pageSize=0&status=x&priority=x',
      ['/query/page', '/query/pageSize', '/query/priority', '/query/status'],
    ],
  ])('?%s is 400', async (query, pointers) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.code, body.data, body.meta]).toEqual([400, 400, null, null]);
    expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
  });
});
