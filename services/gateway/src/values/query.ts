import type { Fault } from '@parley/runtime/errors';
import { z } from 'zod';

/** A whole number in a query: decimal digits, no sign but a minus, no leading zeros, no spaces. */
export function wholeNumber(min: number, max: number) {
  const tooSmall = `Must be at least ${min}`;
  const tooLarge = `Must be at most ${max}`;
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value),
    z
      .int({
        // Of a number: one that JavaScript does not know exactly.
        error: ({ input }) => {
          if (typeof input !== 'number') return 'Must be a whole number';
          return input < min ? tooSmall : tooLarge;
        },
        abort: true,
      })
      .min(min, { error: tooSmall })
      .max(max, { error: tooLarge }),
  );
}

/** What a query string says. */
interface Query {
  /** The parameters that the schema knows. One given twice becomes an array, which no schema of ours accepts. */
  query: Record<string, unknown>;
  /** Of those that are not percent-encoded UTF-8, which are left out. */
  faults: Fault[];
}

/** Reads a query string; parameters that the schema does not know are ignored. */
export function readQuery(queryString: string, schema: z.ZodObject): Query {
  const given = new URLSearchParams(queryString);
  const malformed = malformedNames(queryString);
  const query: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const name of Object.keys(schema.shape)) {
    const values = given.getAll(name);
    if (malformed.has(name))
      faults.push({ pointer: `/query/${name}`, detail: 'Must be percent-encoded UTF-8' });
    else if (values.length > 0) query[name] = values.length === 1 ? values[0] : values;
  }
  return { query, faults };
}

// URLSearchParams reads what it cannot decode as U+FFFD or as it stands.
function malformedNames(queryString: string): Set<string> {
  if (!queryString.includes('%')) return new Set();
  const malformed = queryString.split('&').filter((pair) => !isDecodable(pair));
  return new Set(malformed.flatMap((pair) => [...new URLSearchParams(pair).keys()]));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
