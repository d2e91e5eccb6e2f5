import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Workspace } from '../../data/workspace.tsx';
import { daysAgo, startOfDay } from '../interactions/filters.ts';

/** The window, version and comparison of the address. */
export interface InsightSearch {
  /** A number of days up to today, `30` by default, or `custom` with `from` and `to`. */
  window?: string;
  from?: string;
  to?: string;
  version?: string;
  compare?: string;
}

export const windows = ['7', '30', '90'] as const;
const windowDefault = '30';

/** Returns the days of the window, both inclusive. */
export function daysOf({ window = windowDefault, from, to }: InsightSearch): { from: string; to: string } {
  if (window !== 'custom') return { from: daysAgo(Number(window) - 1), to: daysAgo(0) };
  return { from: from ?? daysAgo(29), to: to ?? daysAgo(0) };
}

/** The figures of a bot. */
export const insightQuery = ({ id, client }: Workspace, botId: string, search: InsightSearch) => {
  const { from, to } = daysOf(search);
  const query = {
    from: startOfDay(from).toISOString(),
    to: startOfDay(to, 1).toISOString(),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    version: search.version === undefined ? undefined : Number(search.version),
    compare: search.compare === undefined ? undefined : ('previous' as const),
  };
  return queryOptions({
    queryKey: [id, 'bot', botId, 'insight', query],
    queryFn: ({ signal }) => client.bots.getInsight(botId, query, { signal }),
    placeholderData: keepPreviousData,
  });
};
