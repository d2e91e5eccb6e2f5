import { noDetails } from '@parley/contracts/customer-details';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';

// Seed: GET customers, Limits. Contract, section 3.

interface Customer {
  id: string;
}

const { baseUrl } = inject('local');

describe('the list', () => {
  let many: TestWorkspace;
  const total = 123;
  const idOf = (index: number): string => `customer ${index}`;

  beforeAll(async () => {
    many = await createWorkspace(baseUrl, inject('operator'));
    for (let index = 0; index < total; index += 1) {
      const { status } = await many.api.post('/customers', { id: idOf(index), firstName: `F${index}` });
      expect(status).toBe(200);
    }
  });

  const page = (query: string) => many.api.get<Customer[]>(`/customers${query}`);

  test('has 20 per page by default, oldest first, without interactions', async () => {
    const bot = await many.publish(npsBot);
    await many.api.post('/interactions', { customerId: idOf(0), botId: bot });
    const { body } = await page('');
    expect(body.meta).toEqual({ totalResults: total, totalPages: 7, currentPage: 1, pageSize: 20 });
    expect(body.data.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => idOf(index)));
    expect(body.data[0]).toEqual({ id: idOf(0), ...noDetails, firstName: 'F0', interactions: [] });
  });

  test('of up to 100 ids is one page, without those that do not exist; more are rejected', async () => {
    const ids = Array.from({ length: 99 }, (_, index) => idOf(index));
    const { body } = await page(`?ids=${encodeURIComponent([...ids, 'nobody'].join())}`);
    expect(new Set(body.data.map(({ id }) => id))).toEqual(new Set(ids));
    expect(body.meta).toMatchObject({ totalResults: 99, totalPages: 1, currentPage: 1 });
    const more = await page(`?ids=${encodeURIComponent([...ids, 'nobody', 'x'].join())}`);
    expect([more.status, more.body.errors?.[0]?.pointer]).toEqual([400, '/query/ids']);
  });

  test.each([1, 7, 20, 49, 50])('its pages of %i have each item once, in order', async (pageSize) => {
    const ids: string[] = [];
    const pages = Math.ceil(total / pageSize);
    for (let number = 1; number <= pages; number += pageSize === 1 ? 61 : 1) {
      const { body } = await page(`?page=${number}&pageSize=${pageSize}`);
      expect(body.meta).toEqual({ totalResults: total, totalPages: pages, currentPage: number, pageSize });
      ids.push(...body.data.map(({ id }) => id));
    }
    if (pageSize > 1) expect(ids).toEqual(Array.from({ length: total }, (_, index) => idOf(index)));
    else expect(ids).toEqual([idOf(0), idOf(61), idOf(122)]);
  });

  test.each([
    ['?page=4&pageSize=50', 4, 50, 3],
    ['?page=8', 8, 20, 7],
    ['?page=1000000', 1_000_000, 20, 7],
    ['?page=2147483648&pageSize=50', 2_147_483_648, 50, 3],
    [`?page=${Number.MAX_SAFE_INTEGER}&pageSize=50`, Number.MAX_SAFE_INTEGER, 50, 3],
  ])(
    '%s, past the last page, is empty with true totals',
    async (query, currentPage, pageSize, totalPages) => {
      const { status, body } = await page(query);
      expect([status, body.data]).toEqual([200, []]);
      expect(body.meta).toEqual({ totalResults: total, totalPages, currentPage, pageSize });
    },
  );

  test('of an empty workspace has no pages', async () => {
    const empty = await createWorkspace(baseUrl, inject('operator'));
    const { status, body } = await empty.api.get('/customers');
    expect([status, body.data]).toEqual([200, []]);
    expect(body.meta).toEqual({ totalResults: 0, totalPages: 0, currentPage: 1, pageSize: 20 });
  });

  test.each([
    ['pageSize=51', ['/query/pageSize']],
    ['pageSize=0', ['/query/pageSize']],
    ['pageSize=-1', ['/query/pageSize']],
    ['pageSize=', ['/query/pageSize']],
    ['pageSize=ten', ['/query/pageSize']],
    ['pageSize=1.5', ['/query/pageSize']],
    ['pageSize=1e1', ['/query/pageSize']],
    ['pageSize=0x10', ['/query/pageSize']],
    ['pageSize=NaN', ['/query/pageSize']],
    ['pageSize=10&pageSize=20', ['/query/pageSize']],
    ['page=0', ['/query/page']],
    ['page=-3', ['/query/page']],
    ['page=two', ['/query/page']],
    ['page=99999999999999999999', ['/query/page']],
    ['page=0&pageSize=51', ['/query/page', '/query/pageSize']],
  ])('?%s is 400', async (query, pointers) => {
    const { status, body } = await page(`?${query}`);
    expect([status, body.code, body.data, body.meta]).toEqual([400, 400, null, null]);
    expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
  });
});
