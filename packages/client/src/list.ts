import type { AnyOptions, Call, Send } from './calls/call.ts';
import type { CursorMeta, PageMeta } from './gen/api.ts';
import type { CallInput, Operation } from './calls/request.ts';

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
  /** Returns page after page instead of item after item, without items of earlier pages. */
  pages(): AsyncIterable<Page<Item, Meta>>;
}

/**
 * How many ids an iteration remembers. A new entry moves the newest of them to the next numbered page, so it would take
 * more new entries between two pages until an item is returned twice.
 */
const rememberedMax = 100_000;

/**
 * Requests the first page of a list at once, the others as they are iterated. Iterating skips items that a new entry
 * has moved to a later numbered page, so each is returned once. An item that leaves the list meanwhile may move others
 * across the border of a numbered page: these are missed.
 */
export function readList<Item extends object, Meta extends PageMeta | CursorMeta | null>(
  send: Send,
  operation: Operation,
  input: CallInput,
  options?: AnyOptions,
): List<Item, Meta> {
  const first = send<Page<Item, Meta>>(operation, input, options);

  const pages = async function* () {
    const isNew = createNoveltyCheck();
    for (let page = pageIn(await first); ; ) {
      // A cursor never returns an item twice.
      const isNumbered = page.meta && 'currentPage' in page.meta;
      yield isNumbered ? { ...page, data: page.data.filter(isNew) } : page;
      const next = nextOf(page.meta);
      if (!next) return;
      const following = { ...input, query: { ...input.query, ...next } };
      page = pageIn(await send<Page<Item, Meta>>(operation, following, options));
    }
  };
  return Object.assign(first, { pages, [Symbol.asyncIterator]: () => itemsOf(pages()) });
}

/** Returns the page, or an empty last one for an answer without a list. */
function pageIn<Item, Meta>(page: Page<Item, Meta> | null): Page<Item, Meta> {
  const { data, meta } = page ?? {};
  return { data: Array.isArray(data) ? data : [], meta: (typeof meta === 'object' ? meta : null) as Meta };
}

/** Returns the position of the next page as a query; undefined after the last page. */
function nextOf(meta: PageMeta | CursorMeta | null): { page: number } | { cursor: string } | undefined {
  if (!meta) return undefined;
  if ('nextCursor' in meta) return meta.nextCursor === null ? undefined : { cursor: meta.nextCursor };
  return meta.currentPage < meta.totalPages ? { page: meta.currentPage + 1 } : undefined;
}

async function* itemsOf<Item>(
  pages: AsyncIterable<Page<Item, unknown>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}

/**
 * Returns a function that returns whether an item is given to it for the first time, by its id. The package has no
 * dependency, so no `lru-cache`.
 */
function createNoveltyCheck(): (item: object) => boolean {
  const seen = new Set<unknown>();
  return (item) => {
    if (!('id' in item)) return true;
    if (seen.has(item.id)) return false;
    seen.add(item.id);
    const [oldest] = seen;
    if (seen.size > rememberedMax) seen.delete(oldest);
    return true;
  };
}
