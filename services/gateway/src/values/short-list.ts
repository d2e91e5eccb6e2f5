import { z } from 'zod';

/** A list that is refused for its length alone when it has more than `max` entries: without a look at any of them. */
export function shortList<List extends z.ZodArray>(max: number, list: List) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: 'custom', message: `Must have at most ${max} entries`, input: value });
    return z.NEVER;
  }, list.max(max));
}
