import type { Interaction } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { historyOf } from '../../../data/history.ts';
import { pageSize } from '../../../data/pages.ts';
import type { Workspace } from '../../../data/workspace.tsx';
import { hasHidden } from '../../../ui/hidden-text.ts';
import { instantsOf, type InsightSearch } from './insight-query.ts';

/** What a customer has answered, in words of their own. */
export interface Quote {
  interactionId: string;
  text: string;
  at: string;
}

/** How many answers of a key are shown, of a page of conversations. */
const quotesMax = 5;

/**
 * Returns the newest answers of a key. `isHidden`: there are some that the person may not see. Answers to other
 * versions are left out, if one is chosen.
 */
export function quotesOf(
  interactions: readonly Pick<Interaction, 'id' | 'createdAt' | 'data' | 'details'>[],
  key: string,
  version: number | undefined,
): { quotes: Quote[]; isHidden: boolean } {
  const found = interactions.flatMap((one): Quote[] => {
    const evaluation = historyOf(one)?.evaluation ?? {};
    const text = Object.hasOwn(evaluation, key) ? evaluation[key]?.trim() : undefined;
    if (!text || (version !== undefined && one.details?.botVersion !== version)) return [];
    return [{ interactionId: one.id, text, at: one.createdAt }];
  });
  const quotes = found.filter(({ text }) => !hasHidden(text)).slice(0, quotesMax);
  return { quotes, isHidden: quotes.length === 0 && found.length > 0 };
}

/** The newest conversations of the window. Reading them is recorded in the audit log, so it is not repeated. */
export const newestQuery = ({ id, client }: Workspace, botId: string, search: InsightSearch) => {
  const { from, to } = instantsOf(search);
  const query = {
    botId,
    createdFrom: from,
    createdTo: to,
    isTest: false,
    include: 'details',
    pageSize,
  } as const;
  return queryOptions({
    queryKey: [id, 'bot', botId, 'newest answers', query],
    queryFn: async ({ signal }) => (await client.interactions.list(query, { signal })).data,
    staleTime: 5 * 60_000,
  });
};
