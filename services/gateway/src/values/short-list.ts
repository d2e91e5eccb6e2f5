import { z } from 'zod';

/** Returns a schema that rejects more than `max` entries before it checks any of them. */
export function shortList<List extends z.ZodArray>(max: number, list: List) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: 'custom', message: `Must have at most ${max} entries`, input: value });
    return z.NEVER;
  }, list.max(max));
}

/** Returns a schema that rejects an object with more than `max` members before it checks any of them. */
export function shortRecord<Shape extends z.ZodRecord | z.ZodObject>(max: number, record: Shape) {
  return z.preprocess(
    (value, context) => {
      if (value === null || typeof value !== 'object' || Object.keys(value).length <= max) return value;
      context.addIssue({ code: 'custom', message: `Must have at most ${max} fields`, input: value });
      return z.NEVER;
    },
    record.meta({ ...record.meta(), maxProperties: max }) as Shape,
  );
}
