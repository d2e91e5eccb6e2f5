import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';
import { faultsMax, unknownName } from '@parley/runtime/zod-faults';
import { z } from 'zod';

/** Returns the schema of a whole number in a query: decimal digits, perhaps a minus, no leading zeros or spaces. */
export function wholeNumber(min: number, max: number) {
  const tooSmall = `Must be at least ${min}`;
  const tooLarge = `Must be at most ${max}`;
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value),
    z
      .int({
        // For a number: beyond the safe integers.
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

/** A parsed query string. */
interface Query {
  /** The parameters of the schema. A repeated one is an array, which no schema accepts. */
  query: Record<string, unknown>;
  /** The faults of unknown parameters, and of those that are not percent-encoded UTF-8. These are left out. */
  faults: Fault[];
}

/** Parses a query string. The faults of unknown parameters name the known ones. */
export function readQuery(queryString: string, schema: z.ZodObject): Query {
  const given = new URLSearchParams(queryString);
  const malformed = malformedNames(queryString);
  const known = Object.keys(schema.shape);
  const query: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const name of known) {
    const values = given.getAll(name);
    if (values.length === 0) continue;
    if (malformed.has(name)) {
      faults.push({ pointer: pointerTo(['query', name]), detail: 'Must be percent-encoded UTF-8' });
    } else query[name] = values.length === 1 ? values[0] : values;
  }
  const unknown = [...new Set(given.keys())].filter((name) => !known.includes(name)).slice(0, faultsMax);
  for (const name of unknown) {
    faults.push({ pointer: pointerTo(['query', name]), detail: unknownName(name, 'parameter', known) });
  }
  return { query, faults };
}

// URLSearchParams does not reject text that it cannot decode.
function malformedNames(queryString: string): Set<string> {
  if (!queryString.includes('%')) return new Set();
  const malformed = queryString.split('&').filter((pair) => !isDecodable(pair));
  return new Set(new URLSearchParams(malformed.join('&')).keys());
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
