import type { Page } from '@parley/contracts/common/v1/common';
import { z } from 'zod';
import { wholeNumber } from './query.ts';

/** The query parameters of every paginated list. */
export const pageQuery = z.object({
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(1),
  pageSize: wholeNumber(1, 50).default(20),
});

const farthestPage = 2_147_483_647;

/** The page to ask a service for: one beyond what its number can say is as empty as the farthest. */
export function pageOf({ page, pageSize }: Page): Page {
  return { page: Math.min(page, farthestPage), pageSize };
}

/** The pagination object of the envelope. */
export interface PageMeta {
  totalResults: number;
  totalPages: number;
  currentPage: number;
  pageSize: number;
}

/** The pagination object of a page out of `total` results. */
export function pageMeta({ page, pageSize }: Page, total: number): PageMeta {
  return { totalResults: total, totalPages: Math.ceil(total / pageSize), currentPage: page, pageSize };
}
