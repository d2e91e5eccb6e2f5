import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json/json-pointer';
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

/** Returns the schema of a truth value in a query: `true` or `false`. */
export function truth() {
  return z.preprocess(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    z.boolean('Must be true or false'),
  );
}

interface Query {
  /** The parameters of the schema. Parameters whose schema is a list may be repeated. */
  query: Record<string, string | string[]>;
  /** The faults of unknown, repeated and badly encoded parameters (not percent-encoded UTF-8). `query` lacks these. */
  faults: Fault[];
}

/** Parses a query string. The faults of unknown parameters name the known ones. */
export function readQuery(queryString: string, schema: z.ZodObject): Query {
  const given = new URLSearchParams(queryString);
  const malformed = malformedNames(queryString);
  const known = Object.keys(schema.shape);
  const query: Query['query'] = {};
  const faults: Fault[] = [];
  for (const name of known) {
    const values = given.getAll(name);
    const [value, ...others] = values;
    if (value === undefined) continue;
    const pointer = pointerTo(['query', name]);
    const isList = isListSchema(schema.shape[name]);
    if (malformed.has(name)) faults.push({ pointer, detail: 'Must be percent-encoded UTF-8' });
    else if (others.length > 0 && !isList) faults.push({ pointer, detail: 'Is repeated' });
    else query[name] = isList ? values : value;
  }
  const unknown = [...new Set(given.keys())].filter((name) => !known.includes(name)).slice(0, faultsMax);
  for (const name of unknown) {
    faults.push({ pointer: pointerTo(['query', name]), detail: unknownName(name, 'parameter', known) });
  }
  return { query, faults };
}

function isListSchema(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return isListSchema(schema.unwrap());
  return schema instanceof z.ZodArray;
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
