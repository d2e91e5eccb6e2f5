import { z } from 'zod';
import { wholeNumber } from './query.ts';
import { text } from './text.ts';

/** A cursor of a client. The handler gets the position that it is for, which is empty without one. */
export const cursorText = text({ min: 1, max: 512 }).optional();

/** Returns the query parameters of a list with a cursor. A page has at most `limitMax` results. */
export function cursorQuery(limitMax: number) {
  return z.object({
    cursor: cursorText.meta({ description: 'The `nextCursor` of the page before; none for the first page' }),
    limit: wholeNumber(1, limitMax).default(20).meta({ description: 'How many results a page has at most' }),
  });
}

export const cursorMetaBody = z
  .strictObject({
    nextCursor: z
      .string()
      .nullable()
      .meta({
        description: 'Returns the next page as `cursor`; null when there is none',
        examples: ['MDE5YWE1ZDg'],
      }),
  })
  .meta({ id: 'CursorMeta' });

export type CursorMeta = z.output<typeof cursorMetaBody>;

/** Returns `meta` for the position at which the next page begins, which is empty after the last page. */
export function cursorMeta(nextPosition: string): CursorMeta {
  return { nextCursor: nextPosition || null };
}
