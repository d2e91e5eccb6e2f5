import type { CursorMeta, Page } from '@parley/client';
import { keepPreviousData, useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLiveOptions } from './live.tsx';
import { pageSize, pagesOf } from './pages.ts';
import { liveMs } from './queries.ts';

/** Loads only the pages that are in view. */
export interface Rows<Row> {
  /** Undefined until the first page has been loaded. */
  total: number | undefined;
  at(index: number): Row | undefined;
  /** Loads what the view from `first` to `last` needs. */
  show(first: number, last: number): void;
  /** Returns the rows from `first` to `last`, also of pages that are out of view. */
  load(first: number, last: number): Promise<Row[]>;
  error: Error | null;
  isFetching: boolean;
  retry(): void;
}

type Load<Row> = (query: { page: number; pageSize: number }, signal: AbortSignal) => Promise<Page<Row>>;

/** `key` contains the filters. */
export function useRows<Row>(key: readonly unknown[], load: Load<Row>): Rows<Row> {
  const [span, setSpan] = useState({ from: 1, to: 1 });
  const live = useLiveOptions();
  const loadBetween = useLoad(key, load);
  const numbers = Array.from({ length: span.to - span.from + 1 }, (_, index) => span.from + index);
  const results = useQueries({
    queries: numbers.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => load({ page, pageSize }, signal),
      ...(page === 1 && { placeholderData: keepPreviousData }),
      ...live,
    })),
  });
  const show = useCallback((first: number, last: number) => {
    const { numbers: shown } = pagesOf(first, last);
    const [from = 1, to = from] = [shown[0], shown.at(-1)];
    setSpan((was) => (was.from === from && was.to === to ? was : { from, to }));
  }, []);
  const loaded = useMemo(
    () => new Map(results.map(({ data }, index) => [numbers[index], data?.data])),
    // The results are a new array at each render.
    [results, numbers],
  );
  const fresh = results.find(({ data }) => data)?.data?.meta.totalResults;
  // While a page is being loaded, the list keeps its length, and so the person its place.
  const known = useRef<number>(undefined);
  if (fresh !== undefined) known.current = fresh;
  const failed = results.find(({ error }) => error);
  return {
    total: fresh ?? known.current,
    at: (index) => loaded.get(Math.floor(index / pageSize) + 1)?.[index % pageSize],
    show,
    load: loadBetween,
    error: failed?.error ?? null,
    isFetching: results.some(({ isFetching }) => isFetching),
    retry: () => results.forEach(({ error, refetch }) => error && void refetch()),
  };
}

function useLoad<Row>(key: readonly unknown[], load: Load<Row>): Rows<Row>['load'] {
  const cache = useQueryClient();
  const latest = useRef({ key, load });
  latest.current = { key, load };
  return useCallback(
    async (first, last) => {
      const { numbers, skipped } = pagesOf(first, last);
      const pages = await Promise.all(
        numbers.map((page) =>
          cache.fetchQuery({
            queryKey: [...latest.current.key, page],
            queryFn: ({ signal }) => latest.current.load({ page, pageSize }, signal),
            staleTime: liveMs,
          }),
        ),
      );
      const rows = pages.flatMap(({ data }) => data);
      return rows.slice(skipped, skipped + last - first + 1);
    },
    [cache],
  );
}

type LoadAfter<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row, CursorMeta>>;

/** Loads a list that has a cursor, a page at a time. `key` contains the filters. */
export function useCursorList<Row>(
  key: readonly unknown[],
  load: LoadAfter<Row>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
) {
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ signal, pageParam }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    ...options,
  });
  return { list, rows: list.data?.pages.flatMap(({ data }) => data) };
}
