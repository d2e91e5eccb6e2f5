import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import type { Send } from './calls/call.ts';
import type { Customer, Delivery, PageMeta, WorkspaceClient } from './client.ts';
import { type List, readList } from './list.ts';

const page = <Item, Meta>(data: Item[], meta: Meta) => Promise.resolve({ data, meta });

interface Query {
  page?: number;
  pageSize?: number;
  cursor?: string;
  limit?: number;
}

const read = (list: (query: Query) => Promise<unknown>, query: Query = {}): List<Customer> => {
  const send = (_operation: object, input: { query: Query }) => list(input.query);
  const operation = { method: 'GET', path: '/v1/customers' } as const;
  return readList<Customer, PageMeta>(send as unknown as Send, operation, { query: { ...query } });
};

/** A list, newest first, to which items are added while it is read. */
function growingList(size: number, pageSize: number, addedBetween: number[]) {
  const items = Array.from({ length: size }, (_, index) => ({ id: `old ${size - index}` }));
  const asked: number[] = [];
  const list = ({ page: number = 1 }: Query) => {
    const added = asked.length > 0 ? (addedBetween[asked.length - 1] ?? 0) : 0;
    for (let one = 0; one < added; one += 1) items.unshift({ id: `new ${asked.length} ${one}` });
    asked.push(number);
    const data = items.slice((number - 1) * pageSize, number * pageSize);
    const totalPages = Math.ceil(items.length / pageSize);
    return page(data, { totalResults: items.length, totalPages, currentPage: number, pageSize });
  };
  return { list, asked };
}

const idsOf = async (list: AsyncIterable<{ id: string }>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
};

test('iterating returns all items once and in order while others are added', async () => {
  const sizes = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })] as const;
  await fc.assert(
    fc.asyncProperty(...sizes, fc.array(fc.nat(12), { maxLength: 8 }), async (size, pageSize, added) => {
      const given = await idsOf(read(growingList(size, pageSize, added).list));
      expect(new Set(given).size).toBe(given.length);
      const old = given.filter((id) => id.startsWith('old'));
      expect(old).toEqual(Array.from({ length: size }, (_, index) => `old ${size - index}`));
    }),
  );
});

test('page by page, no item is returned twice either', async () => {
  const ids: string[] = [];
  const meta: unknown[] = [];
  for await (const page of read(growingList(9, 3, [2, 3, 0, 1]).list).pages()) {
    ids.push(...page.data.map(({ id }) => id));
    meta.push(page.meta.currentPage);
  }
  expect(ids).toEqual(Array.from({ length: 9 }, (_, index) => `old ${9 - index}`));
  expect(meta).toEqual([1, 2, 3, 4, 5]);
});

test('a list of any length takes bounded memory, and what has moved since the last page is still known', async () => {
  const pageSize = 60_000;
  const list = ({ page: number = 1 }: Query) => {
    // Each page begins with the end of the one before.
    const from = (number - 1) * (pageSize - 1_000);
    const data = Array.from({ length: pageSize }, (_, at) => ({ id: String(from + at) }));
    return page(data, { totalResults: 1, totalPages: 4, currentPage: number, pageSize });
  };
  const given = await idsOf(read(list));
  expect(new Set(given).size).toBe(given.length);
  expect(given).toHaveLength(4 * pageSize - 3 * 1_000);
});

test('awaiting returns one page, and iterating starts with it; each page is requested after the previous one', async () => {
  const { list, asked } = growingList(30, 10, []);
  const customers = read(list, { page: 2 });
  expect((await customers).meta.currentPage).toBe(2);
  let taken = 0;
  for await (const _ of customers) {
    taken += 1;
    expect(asked).toEqual(taken <= 10 ? [2] : [2, 3]);
  }
  expect(taken).toBe(20);
});

test('pages of a list that does not change are returned as the API sends them', async () => {
  const sizes: number[] = [];
  for await (const { data, meta } of read(growingList(7, 3, []).list).pages()) {
    sizes.push(data.length);
    expect(meta).toEqual({ totalResults: 7, totalPages: 3, currentPage: sizes.length, pageSize: 3 });
  }
  expect(sizes).toEqual([3, 3, 1]);
});

test('by cursor all items are returned once and in order, under the same filters, page by page', async () => {
  const sizes = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })] as const;
  await fc.assert(
    fc.asyncProperty(...sizes, async (size, limit) => {
      const asked: Query[] = [];
      const list = (query: Query) => {
        asked.push(query);
        const from = Number(query.cursor ?? 0);
        const data = Array.from({ length: Math.min(limit, size - from) }, (_, at) => ({
          id: `${from + at}`,
        }));
        return page(data, { nextCursor: from + limit < size ? String(from + limit) : null });
      };
      const given: string[] = [];
      for await (const { id } of read(list, { limit })) {
        given.push(id);
        expect(asked).toHaveLength(Math.floor(Number(id) / limit) + 1);
      }
      expect(given).toEqual(Array.from({ length: size }, (_, index) => String(index)));
      expect(asked).toHaveLength(Math.max(1, Math.ceil(size / limit)));
      expect(asked.map(({ limit }) => limit)).toEqual(asked.map(() => limit));
      expect(asked[0]).toEqual({ limit });
    }),
  );
});

test('a list with a single page is iterated like others', async () => {
  let calls = 0;
  const list = () => {
    calls += 1;
    return page([{ id: 'a' }, { id: 'b' }], null);
  };
  expect(await idsOf(read(list))).toEqual(['a', 'b']);
  expect(calls).toBe(1);
});

test('a page that fails rejects the iteration', async () => {
  await expect(idsOf(read(() => Promise.reject(new Error('unavailable'))))).rejects.toThrow('unavailable');
  const second = ({ page: number }: Query) =>
    number ? Promise.reject(new Error('unavailable')) : growingList(2, 1, []).list({});
  await expect(idsOf(read(second))).rejects.toThrow('unavailable');
});

test('the types of items and meta are those of the operation', () => {
  type Lists = WorkspaceClient;
  expectTypeOf<ReturnType<Lists['customers']['list']>>().toEqualTypeOf<List<Customer>>();
  expectTypeOf<Awaited<ReturnType<Lists['bots']['list']>>['meta']>().toEqualTypeOf<null>();
  expectTypeOf<ReturnType<Lists['webhooks']['deliveries']['list']>>().toExtend<AsyncIterable<Delivery>>();
});
