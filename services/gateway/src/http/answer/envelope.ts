import type { Fault } from '@parley/runtime/errors';
import { z } from 'zod';
import { type CursorMeta, cursorMetaBody } from '../../values/cursor.ts';
import { truncateFaults } from '../../values/faults.ts';
import { type PageMeta, pageMetaBody } from '../../values/page.ts';
import { timestamp } from '../../values/timestamp.ts';

const successDetail = 'Request completed successfully';

/** The type of `meta`: an object in answers with a page of a list. */
export type Meta = PageMeta | CursorMeta;

/** The schema of successful answers: exactly these five fields. */
export function successOf(data: z.ZodType, query: z.ZodObject | undefined) {
  return z.strictObject({
    success: z.literal(true),
    code: z.literal(200),
    detail: z.literal(successDetail),
    data,
    meta: metaBodyOf(query),
  });
}

function metaBodyOf({ shape }: Pick<z.ZodObject, 'shape'> = z.object({})): z.ZodType<Meta | null> {
  if ('pageSize' in shape) return pageMetaBody;
  return 'cursor' in shape ? cursorMetaBody : z.null();
}

export const fault = z.strictObject({
  pointer: z.string().meta({
    description:
      'A JSON pointer into the body; `/query/...` into the query, `/headers/...` into the header fields',
  }),
  detail: z.string(),
  retryAt: timestamp.optional().meta({ description: 'Of `contact-limit`: when it is allowed again' }),
});

export const failureBody = z
  .strictObject({
    success: z.literal(false),
    code: z.int().meta({ description: 'The HTTP status' }),
    detail: z.string().meta({ description: 'For people' }),
    data: z.unknown().meta({ description: 'null, but for `stale-sequence`: the current snapshot' }),
    meta: z.null(),
    type: z.string().meta({ description: 'For programs: a stable slug per cause' }),
    requestId: z.string(),
    errors: z
      .array(fault)
      .optional()
      .meta({
        description:
          'Every fault of the request, the first hundred of them: with `invalid-request`, `malformed-json`, and, if they ' +
          'name what the key may not do, `missing-scope` and `stronger-key`; with `invalid-cursor`, the cursor',
      }),
  })
  .meta({ id: 'Failure' });

export function success(data: unknown, meta: Meta | null = null): z.output<ReturnType<typeof successOf>> {
  return { success: true, code: 200, detail: successDetail, data, meta };
}

/** `code` is the HTTP status. */
export interface ErrorAnswer {
  code: number;
  type: string;
  detail: string;
  faults?: Fault[] | undefined;
}

/** `data` is null except for `stale-sequence`: the current snapshot. */
export function failure(
  { code, type, detail, faults }: ErrorAnswer,
  requestId: string,
  data: unknown = null,
): z.output<typeof failureBody> {
  return {
    success: false,
    code,
    detail,
    data,
    meta: null,
    type,
    requestId,
    ...(faults && { errors: truncateFaults(faults) }),
  };
}
