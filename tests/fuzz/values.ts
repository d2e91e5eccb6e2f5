import fc from 'fast-check';
import type { JsonSchema, Surface } from './document.ts';

/** Existing values of this system for a field or parameter of this name. */
export type Known = Record<string, readonly unknown[]>;

/** Text that often causes faults. */
export const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e',
  '.',
  '..',
  '../../etc/passwd',
  'a/b',
  '%00',
  '%2f..%2f',
  "' or 1=1 --",
  '${7*7}',
  '{{constructor}}',
  '__proto__',
  'null',
  '1e999',
  '-0',
  '😀'.repeat(255),
  '😀'.repeat(256),
  'e\u0301',
  '\u00e9',
  '\r\nX-Injected: 1',
  'x'.repeat(5_000),
];

const oddNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-9,
  50,
  51,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  315_360_000,
  315_360_001,
  1e21,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

/** Text of every kind, also of single UTF-16 units, which need not be well-formed. */
export const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(...oddNumbers),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<unknown>(null, true, false, {}, []),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(oddText, oddText, { maxKeys: 4 }),
);

/** Rarely another value. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, oneIn = 30): fc.Arbitrary<T> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Values of a schema: most match, some almost, some not at all. */
export function valuesOf(
  schema: JsonSchema,
  surface: Surface,
  known: Known,
  name = '',
): fc.Arbitrary<unknown> {
  const followed = surface.follow(schema);
  return fc.oneof(
    { weight: 40, arbitrary: fitting(followed, surface, known, name) },
    { weight: 2, arbitrary: nearly(followed) },
    { weight: 1, arbitrary: oddValue },
  );
}

function fitting(schema: JsonSchema, surface: Surface, known: Known, name: string): fc.Arbitrary<unknown> {
  const pool = known[name] ?? [];
  const own = ofType(schema, surface, known, name);
  return pool.length === 0
    ? own
    : fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...pool) }, { weight: 1, arbitrary: own });
}

function ofType(schema: JsonSchema, surface: Surface, known: Known, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, surface, known, name)));
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 100) }),
        bounds(schema),
      );
    case 'number':
      return fc.oneof(
        fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 100, noNaN: true }),
        bounds(schema),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, surface, known), { maxLength: 5 });
    case 'object':
      return objects(schema, surface, known);
    default:
      return oddValue;
  }
}

function objects(schema: JsonSchema, surface: Surface, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, valuesOf(field, surface, known, name)] as const,
  );
  if (fields.length === 0) return changed(fc.constantFrom(...(schema.examples ?? [{}])));
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  return fc.oneof(
    { weight: 20, arbitrary: record },
    // A required field is missing, or an unknown one is present.
    { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.tuple(record, oddText, oddValue).map(([fit, name, value]) => ({ ...fit, [name]: value })),
    },
  );
}

/** A value with at most one replaced or removed part. */
function changed(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.oneof(oddValue, fc.constant(undefined));
  return fc.oneof(
    values,
    fc.tuple(values, fc.nat(60), change).map(([value, index, other]) => {
      let left = index;
      const json = JSON.stringify(value, (_name, inner: unknown) => (left-- === 0 ? other : inner));
      return json === undefined ? null : (JSON.parse(json) as unknown);
    }),
  );
}

function bounds({ minimum = 0, maximum = 100 }: JsonSchema): fc.Arbitrary<number> {
  return fc.constantFrom(minimum, maximum);
}

const samples = 60;

// A pattern that few texts match gives only its examples.
function texts(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 300, pattern, examples = [] } = schema;
  const length = { minLength, maxLength: Math.min(maxLength, 40) };
  const full = maxLength <= 4_000 ? ['x'.repeat(maxLength), '😀'.repeat(maxLength)] : [];
  const form = pattern === undefined ? /^/ : new RegExp(pattern, 'u');
  const fits = (text: string): boolean => form.test(text);
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', ...length }),
    fc.string({ unit: 'binary', ...length }),
    fc.constantFrom(...full, 'a/b', '%2F', "o'hara", '😀'),
  );
  const fixed = [...examples, '', 'x'].filter((text) => typeof text === 'string' && fits(text));
  const hits = fc.sample(anyText, { numRuns: samples, seed: 1 }).filter(fits).length;
  if (schema.format === 'uuid') return fc.uuid();
  if (hits > samples / 2) return anyText.filter(fits);
  return fixed.length > 0 ? fc.constantFrom(...fixed) : anyText;
}

function nearly(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, minLength = 0, maxLength = 300, minimum = 0, maximum = 100 } = schema;
  switch (type) {
    case 'string':
      return fc.oneof(
        oddText,
        fc.constantFrom(
          'x'.repeat(maxLength + 1),
          '😀'.repeat(maxLength + 1),
          'x'.repeat(Math.max(0, minLength - 1)),
        ),
      );
    case 'integer':
    case 'number':
      return fc.constantFrom<unknown>(
        minimum - 1,
        maximum + 1,
        minimum + 0.5,
        String(maximum),
        ...oddNumbers,
      );
    case 'boolean':
      return fc.constantFrom<unknown>('true', 0, 1, null);
    case 'array':
      return fc.oneof(
        fc.array(oddValue, { maxLength: 3 }),
        fc.constant(Array.from({ length: 500 }, () => null)),
        fc.constant({ length: 1 }),
      );
    default:
      return oddValue;
  }
}
