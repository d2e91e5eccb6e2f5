import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyItem, everyItemByCursor } from './pages.ts';

interface Item {
  id: string;
}

/** A list, newest first, to which items are added while it is read. */
function growingList(size: number, pageSize: number, addedBetween: number[]) {
  const items = Array.from({ length: size }, (_, index) => ({ id: `old ${size - index}` }));
  let asked = 0;
  const list = async (page: number) => {
    const added = asked > 0 ? (addedBetween[asked - 1] ?? 0) : 0;
    for (let one = 0; one < added; one += 1) items.unshift({ id: `new ${asked} ${one}` });
    asked += 1;
    const data = items.slice((page - 1) * pageSize, page * pageSize);
    const totalPages = Math.ceil(items.length / pageSize);
    return { data, meta: { totalResults: items.length, totalPages, currentPage: page, pageSize } };
  };
  return { list, asked: () => asked };
}

test('gives everything that was there once and in order, whatever is added before it meanwhile', async () => {
  const sizes = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })] as const;
  await fc.assert(
    fc.asyncProperty(...sizes, fc.array(fc.nat(12), { maxLength: 8 }), async (size, pageSize, added) => {
      const given: Item[] = [];
      for await (const item of everyItem(growingList(size, pageSize, added).list)) given.push(item);
      expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
      const old = given.filter(({ id }) => id.startsWith('old')).map(({ id }) => id);
      expect(old).toEqual(Array.from({ length: size }, (_, index) => `old ${size - index}`));
    }),
  );
});

test('asks for no page before the one before is used up', async () => {
  const { list, asked } = growingList(30, 10, []);
  let taken = 0;
  for await (const _ of everyItem(list)) {
    taken += 1;
    if (taken === 11) break;
  }
  expect(asked()).toBe(2);
});

test('by cursor everything is given once and in order, page after page as it is used', async () => {
  const sizes = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })] as const;
  await fc.assert(
    fc.asyncProperty(...sizes, async (size, limit) => {
      const asked: (string | undefined)[] = [];
      const list = async (cursor: string | undefined) => {
        asked.push(cursor);
        const from = Number(cursor ?? 0);
        const data = Array.from({ length: Math.min(limit, size - from) }, (_, index) => from + index);
        return { data, meta: { nextCursor: from + limit < size ? String(from + limit) : null } };
      };
      const given: number[] = [];
      for await (const item of everyItemByCursor(list)) {
        given.push(item);
        expect(asked).toHaveLength(Math.floor(item / limit) + 1);
      }
      expect(given).toEqual(Array.from({ length: size }, (_, index) => index));
      expect(asked).toHaveLength(Math.max(1, Math.ceil(size / limit)));
      expect(asked[0]).toBeUndefined();
    }),
  );
});

test('a failure of a page is the failure of the reading', async () => {
  const reading = everyItem(async () => Promise.reject(new Error('away')));
  await expect(reading.next()).rejects.toThrow('away');
});
