import type { Page } from '@parley/contracts/common/v1/common';
import { pageSizeMax } from '@parley/contracts/limits';
import { z } from 'zod';
import { count, positive } from './count.ts';
import { wholeNumber } from './query.ts';

export const pageQuery = z.object({
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .default(1)
    .meta({ description: 'Which page; one past the last is empty' }),
  pageSize: wholeNumber(1, pageSizeMax).default(20).meta({ description: 'How many results a page has' }),
});

const farthestPage = 2_147_483_647;

/** Returns the page for a service. Pages beyond the range of its number are as empty as the last one. */
export function pageOf({ page, pageSize }: Page): Page {
  return { page: Math.min(page, farthestPage), pageSize };
}

export const pageMetaBody = z
  .strictObject({
    totalResults: count.meta({ examples: [41] }),
    totalPages: count.meta({ description: '0 when there are no results', examples: [3] }),
    currentPage: positive.meta({ examples: [1] }),
    pageSize: positive.max(pageSizeMax).meta({ examples: [20] }),
  })
  .meta({ id: 'PageMeta' });

export type PageMeta = z.output<typeof pageMetaBody>;

export function pageMeta({ page, pageSize }: Page, total: number): PageMeta {
  return { totalResults: total, totalPages: Math.ceil(total / pageSize), currentPage: page, pageSize };
}
