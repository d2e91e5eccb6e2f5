import { createWorkspace } from '@parley/testing/api';
import { expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';

const { baseUrl } = inject('local');

test('a hundred concurrent calls on the same objects each succeed or fail cleanly, and the totals match', async () => {
  const own = await createWorkspace(baseUrl, inject('operator'));
  const bot = await own.publish(npsBot);
  const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
  const create = (index: number) =>
    own.api.post<{ id: string }>(
      '/interactions',
      { customerId: `c${index % 3}`, botId: bot, status: 'Pending', priority: 'Low' },
      index % 2 ? { 'idempotency-key': `key-${index % 20}-${index % 3}` } : {},
    );
  const made = await Promise.all(Array.from({ length: 60 }, (_, index) => create(index)));
  const ids = [...new Set(made.map(({ body }) => body.data.id))];
  const changes = Array.from({ length: 100 }, (_, index) =>
    own.api.patch(`/interactions/${ids[index % 7]}`, {
      status: statuses[index % 5],
      priority: ['Low', 'Medium', 'High'][index % 3],
      ...(index % 4 === 0 && { expiry: 1000 }),
    }),
  );
  const more = Array.from({ length: 20 }, (_, index) => create(index * 2));
  const reads = Array.from({ length: 20 }, (_, index) => own.api.get(`/customers/c${index % 3}`));
  const lists = Array.from({ length: 10 }, () => own.api.get('/interactions?pageSize=50'));
  const added = await Promise.all(more);
  const answers = [...added, ...(await Promise.all([...changes, ...reads, ...lists]))];
  for (const { status, body } of answers) {
    // A busy system refuses a call before it does anything.
    if (status !== 503) expect([200, 409]).toContain(status);
    else expect(body.type).toBe('overloaded');
  }
  const totalOf = async (query: string) =>
    (await own.api.get(`/interactions?pageSize=1${query}`)).body.meta?.totalResults ?? 0;
  const total = await totalOf('');
  const byStatus = await Promise.all(statuses.map((status) => totalOf(`&status=${status}`)));
  const byPriority = await Promise.all(
    ['Low', 'Medium', 'High'].map((priority) => totalOf(`&priority=${priority}`)),
  );
  const byCustomer = await Promise.all(['c0', 'c1', 'c2'].map((id) => totalOf(`&customerId=${id}`)));
  const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);
  expect(total).toBe(ids.length + added.filter(({ status }) => status === 200).length);
  expect([sum(byStatus), sum(byPriority), sum(byCustomer)]).toEqual([total, total, total]);
  expect((await own.api.get('/customers')).body.meta?.totalResults).toBe(3);
});
