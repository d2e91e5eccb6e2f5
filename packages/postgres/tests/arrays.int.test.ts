import { randomUUID } from 'node:crypto';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger as logger } from '@parley/testing/quiet';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encoders, tableOf, uuids } from '../src/sql/arrays.ts';
import { openDatabase } from '../src/connecting/open.ts';

const stack = new AsyncDisposableStack();
let db: Kysely<unknown>;
beforeAll(async () => {
  const { testUrl: url } = stack.use(await createDatabase('webhook'));
  ({ db } = stack.use(openDatabase<unknown>({ url, logger })));
});
afterAll(() => stack.disposeAsync());

/** What the driver does not return as it was given. */
const casts: Record<string, string> = { json: '::text', xid8: '::text::bigint' };

/** The values as the server parsed them. */
async function read(array: Buffer, type: string): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`
    select value${sql.raw(casts[type] ?? '')} from unnest(${array}::${sql.raw(type)}[]) as each (value)`.execute(
    db,
  );
  return rows.map((row) => row.value);
}

const nullable = <Value>(of: fc.Arbitrary<Value>) => fc.array(fc.option(of), { maxLength: 20 });
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const json = fc.json().map((value) => JSON.stringify(JSON.parse(value)));
/** Postgres' calendar and JavaScript's agree, from Postgres' first year to the last one with four digits. */
const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

const cases = [
  { type: 'uuid', values: nullable(fc.uuid()) },
  { type: 'text', values: nullable(text) },
  { type: 'json', values: nullable(json) },
  { type: 'bytea', values: nullable(bytes) },
  { type: 'boolean', values: nullable(fc.boolean()) },
  { type: 'int', values: nullable(fc.integer()) },
  { type: 'xid8', values: nullable(fc.nat({ max: Number.MAX_SAFE_INTEGER })) },
  { type: 'float8', values: nullable(fc.double({ noNaN: true })) },
  { type: 'timestamptz', values: nullable(instant) },
] as const;

test.for(cases)('the server parses an array of $type correctly', async ({ type, values }) => {
  const encode = encoders[type] as (given: never[]) => Buffer;
  await fc.assert(
    fc.asyncProperty(values as fc.Arbitrary<never[]>, async (given) => {
      expect(await read(encode(given), type)).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test('an invalid UUID or integer is rejected before it is sent', () => {
  for (const wrong of ['', 'x', randomUUID().slice(1), `${randomUUID()}0`, randomUUID().replace(/^./, 'g')]) {
    expect(() => uuids([wrong])).toThrow(TypeError);
  }
  for (const wrong of [0.5, Number.NaN, 2 ** 31]) expect(() => encoders.int([wrong])).toThrow(RangeError);
  expect(() => encoders.timestamptz([new Date(Number.NaN)])).toThrow(RangeError);
});

test('rows are a table with a column of each type', async () => {
  const row = {
    uuid: randomUUID(),
    text: 'a',
    json: { a: 1 },
    bytea: Buffer.of(1),
    boolean: true,
    int: 2,
    float8: 0.5,
  };
  const rows = [{ ...row, timestamptz: new Date(0), index: 0 }, null];
  const table = tableOf('given', rows, {
    aUuid: ['uuid', (one) => one?.uuid ?? null],
    aText: ['text', (one) => one?.text ?? null],
    aJson: ['json', (one) => one && JSON.stringify(one.json)],
    aBytea: ['bytea', (one) => one?.bytea ?? null],
    aBoolean: ['boolean', (one) => one?.boolean ?? null],
    aInt: ['int', (one) => one?.int ?? null],
    aFloat8: ['float8', (one) => one?.float8 ?? null],
    aTimestamptz: ['timestamptz', (one) => one?.timestamptz ?? null],
    index: ['int', (_, index) => index],
  });
  const read = await sql`select given.* from ${table} where a_int is not null`.execute(db);
  expect(Object.values(read.rows[0] ?? {})).toEqual(Object.values(rows[0] ?? {}));
});
