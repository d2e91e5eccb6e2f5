import type { Call, CallOptions, Send } from './call.ts';
import type { CursorMeta, PageMeta } from './gen/api.ts';
import type { Input, Operation } from './request.ts';

/** One page of a list. `meta` is null where the list has one page only. */
export interface Page<Item, Meta = PageMeta> {
  data: Item[];
  meta: Meta;
}

/**
 * A list that is being read. `await` returns one page; `for await` returns every item from that page on. The next page
 * is requested when the previous one is used up.
 */
export interface List<Item, Meta = PageMeta> extends Call<Page<Item, Meta>>, AsyncIterable<Item> {
  /** Returns page after page instead of item after item. */
  pages(): AsyncIterable<Page<Item, Meta>>;
}

/**
 * Requests the first page of a list at once, the others as they are iterated. Iterating items skips items
 * that a new entry has moved to a later numbered page, so each is returned once. An item that leaves the list
 * meanwhile may move others across the border of a numbered page: these are missed.
 */
export function readList<Item extends object, Meta extends PageMeta | CursorMeta | null>(
  send: Send,
  operation: Operation,
  input: Input,
  options?: CallOptions,
): List<Item, Meta> {
  const first = send<Page<Item, Meta>>(operation, input, options);

  const pages = async function* () {
    for (let page = await first; ; ) {
      yield page;
      const next = nextOf(page.meta);
      if (!next) return;
      page = await send<Page<Item, Meta>>(
        operation,
        { ...input, query: { ...input.query, ...next } },
        options,
      );
    }
  };
  return Object.assign(first, { pages, [Symbol.asyncIterator]: () => itemsOf(pages()) });
}

/** Returns the position of the next page as a query; undefined after the last page. */
function nextOf(meta: PageMeta | CursorMeta | null): { page: number } | { cursor: string } | undefined {
  if (!meta) return undefined;
  if ('nextCursor' in meta) return meta.nextCursor === null ? undefined : { cursor: meta.nextCursor };
  return meta.currentPage < meta.totalPages ? { page: meta.currentPage + 1 } : undefined;
}

async function* itemsOf<Item extends object>(
  pages: AsyncIterable<Page<Item, PageMeta | CursorMeta | null>>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for await (const { data, meta } of pages) {
    for (const item of data) {
      // A cursor never returns an item twice.
      if (meta && 'currentPage' in meta && 'id' in item) {
        const id = String(item.id);
        if (seen.has(id)) continue;
        seen.add(id);
      }
      yield item;
    }
  }
}
