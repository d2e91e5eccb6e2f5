import type { CursorPage, Page } from './call.ts';

/**
 * Everything in a list, page after page, each asked for when the one before is used up. What moves to a later page
 * meanwhile, since something new has come before it, is given once; what leaves the list while it is read may take
 * others with it across the border of a page, which are then missed.
 */
export async function* everyItem<Item extends { id: string }>(
  list: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, meta } = await list(page);
    for (const item of data) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    if (page >= meta.totalPages) return;
  }
}

/**
 * Everything in a list that is read by cursor, page after page, each asked for when the one before is used up: what was
 * there at first is given once, whatever is added meanwhile.
 */
export async function* everyItemByCursor<Item>(
  list: (cursor: string | undefined) => Promise<CursorPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const { data, meta } = await list(cursor);
    yield* data;
    if (meta.nextCursor === null) return;
    cursor = meta.nextCursor;
  }
}
