import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Workspace } from '../../../data/workspace.tsx';
import { daysAgoIn, startOfDayIn, zoneOf } from '../../../data/zone.ts';

export interface InsightSearch {
  /** The time zone of the days. Without one, the screen adds the browser's. */
  tz?: string;
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
export function daysOf(search: InsightSearch): { from: string; to: string } {
  const { window = windowDefault, from, to } = search;
  const ago = (days: number): string => daysAgoIn(zoneOf(search), days);
  if (window !== 'custom') return { from: ago(Number(window) - 1), to: ago(0) };
  return { from: from ?? ago(29), to: to ?? ago(0) };
}

/** Returns the window as a list of interactions has it. */
export function periodOf(search: InsightSearch): { from: string; to: string; tz: string } {
  return { ...daysOf(search), tz: zoneOf(search) };
}

export function instantsOf(search: InsightSearch): { from: string; to: string } {
  const { from, to } = daysOf(search);
  const zone = zoneOf(search);
  return {
    from: startOfDayIn(zone, from).toISOString(),
    to: startOfDayIn(zone, to, 1).toISOString(),
  };
}

export const insightQuery = ({ id, client }: Workspace, botId: string, search: InsightSearch) => {
  const query = {
    ...instantsOf(search),
    tz: zoneOf(search),
    version: search.version === undefined ? undefined : Number(search.version),
    compare: search.compare === undefined ? undefined : ('previous' as const),
  };
  return queryOptions({
    queryKey: [id, 'bot', botId, 'insight', query],
    queryFn: ({ signal }) => client.bots.getInsight(botId, query, { signal }),
    placeholderData: keepPreviousData,
  });
};
