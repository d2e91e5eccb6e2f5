import { z } from 'zod';

/** A whole number in a query: decimal digits, no sign but a minus, no leading zeros, no spaces. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value),
    z
      .int({ error: 'Must be a whole number' })
      .min(min, { error: `Must be at least ${min}` })
      .max(max, { error: `Must be at most ${max}` }),
  );
}

/**
 * The parameters of a query string that the schema knows; others are ignored. One given twice becomes an array,
 * which no schema of ours accepts.
 */
export function readQuery(queryString: string, schema: z.ZodObject): Record<string, unknown> {
  const given = new URLSearchParams(queryString);
  const query: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = given.getAll(name);
    if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return query;
}
