import type { Page } from '@parley/contracts/common/v1/common';
import { z } from 'zod';
import { wholeNumber } from './query.ts';

/** The query parameters of every paginated list. */
export const pageQuery = z.object({
  page: wholeNumber(1, 2_147_483_647).default(1),
  pageSize: wholeNumber(1, 50).default(20),
});

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
