import { type RawBuilder, sql } from 'kysely';
import { snakeCase } from './case.ts';

/**
 * Arrays as parameters in Postgres' binary format, for statements with many rows. The text format costs both sides a
 * pass over each character, and spells bytes in hex. Cast the parameter to its type: `${uuids(ids)}::uuid[]`. The
 * format is defined by `array_send` in Postgres' `arrayfuncs.c`.
 */
type Values<Element> = readonly (Element | null)[];

interface Format<Element> {
  /** The OID of the element's type in `pg_type`. */
  oid: number;
  bytesOf(value: Element): number;
  write(to: Buffer, value: Element, at: number): void;
}

const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

function arrayOf<Element>({ oid, bytesOf, write }: Format<Element>): (values: Values<Element>) => Buffer {
  return (values) => {
    let bytes = headerBytes;
    for (const value of values) bytes += lengthBytes + (value === null ? 0 : bytesOf(value));
    const to = Buffer.allocUnsafe(values.length === 0 ? headerBytes - 8 : bytes);
    to.writeInt32BE(Math.sign(values.length), 0);
    to.writeInt32BE(Number(values.includes(null)), 4);
    to.writeInt32BE(oid, 8);
    // An empty array has no dimensions.
    if (values.length === 0) return to;
    to.writeInt32BE(values.length, 12);
    to.writeInt32BE(1, 16);
    let at = headerBytes;
    for (const value of values) {
      const length = value === null ? nullLength : bytesOf(value);
      to.writeInt32BE(length, at);
      at += lengthBytes;
      if (value === null) continue;
      write(to, value, at);
      at += length;
    }
    return to;
  };
}

const uuidBytes = 16;
const hyphen = '-'.charCodeAt(0);
const noDigit = 0xff;
/** The value of each hexadecimal digit, by character code. */
const digitOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? noDigit : digit;
});

/** `uuid[]`. Throws a `TypeError` unless each is 32 hexadecimal digits, with or without hyphens. */
export const uuids = arrayOf<string>({
  oid: 2950,
  bytesOf: () => uuidBytes,
  write: (to, value, at) => {
    let digits = 0;
    let byte = 0;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code === hyphen) continue;
      const digit = digitOf[code] ?? noDigit;
      byte = (byte << 4) | digit;
      if (digit === noDigit || digits === 2 * uuidBytes) throw new TypeError('not a UUID');
      if (digits % 2 === 1) to[at + (digits >> 1)] = byte & 0xff;
      digits += 1;
    }
    if (digits !== 2 * uuidBytes) throw new TypeError('not a UUID');
  },
});

const inUtf8 = {
  bytesOf: (value: string) => Buffer.byteLength(value),
  write: (to: Buffer, value: string, at: number) => to.write(value, at),
};

/** 2000-01-01, the epoch of Postgres. */
const epochMs = Date.UTC(2000, 0, 1);

/** The encoders by the name of the element's type. `int` and `timestamptz` throw a `RangeError` for any other value. */
export const encoders = {
  uuid: uuids,
  /** In UTF-8. */
  text: arrayOf<string>({ oid: 25, ...inUtf8 }),
  /** From its text. */
  json: arrayOf<string>({ oid: 114, ...inUtf8 }),
  bytea: arrayOf<Uint8Array>({
    oid: 17,
    bytesOf: (value) => value.length,
    write: (to, value, at) => to.set(value, at),
  }),
  boolean: arrayOf<boolean>({
    oid: 16,
    bytesOf: () => 1,
    write: (to, value, at) => to.writeUInt8(Number(value), at),
  }),
  int: arrayOf<number>({
    oid: 23,
    bytesOf: () => 4,
    write: (to, value, at) => {
      if (!Number.isInteger(value)) throw new RangeError('not an integer');
      to.writeInt32BE(value, at);
    },
  }),
  /** The id of a transaction. */
  xid8: arrayOf<number>({
    oid: 5069,
    bytesOf: () => 8,
    write: (to, value, at) => to.writeBigUInt64BE(BigInt(value), at),
  }),
  float8: arrayOf<number>({
    oid: 701,
    bytesOf: () => 8,
    write: (to, value, at) => to.writeDoubleBE(value, at),
  }),
  timestamptz: arrayOf<Date>({
    oid: 1184,
    bytesOf: () => 8,
    write: (to, value, at) => {
      const ms = value.getTime() - epochMs;
      if (Number.isNaN(ms)) throw new RangeError('not a time');
      // Two halves: microseconds may exceed 2^53, and a BigInt would allocate an object for each value.
      const msHigh = Math.floor(ms / 2 ** 32);
      const low = (ms - msHigh * 2 ** 32) * 1_000;
      const high = msHigh * 1_000 + Math.floor(low / 2 ** 32);
      to.writeInt32BE(high, at);
      to.writeUInt32BE(low % 2 ** 32, at + 4);
    },
  }),
};

type ValueOf<Type extends keyof typeof encoders> = Parameters<(typeof encoders)[Type]>[0][number];

/** The columns of a table: the type of each, and its value in a row. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

type Column<Row> = {
  [Type in keyof typeof encoders]: readonly [Type, (row: Row, index: number) => ValueOf<Type>];
}[keyof typeof encoders];

/** Under which name `arraysOf` returns a column. */
type ArrayName<Alias extends string, Values> = `${Alias}.${keyof Values & string}`;

/**
 * SQL for a table of these rows, for `from`: `unnest(...) as <alias> (<columns>)`. Each column is one parameter, so the
 * statement is the same for any number of rows. Throws like the functions above.
 */
export function tableOf<Row>(
  alias: string,
  rows: readonly Row[],
  columns: Columns<Row>,
): RawBuilder<unknown> {
  return tableOfArrays(alias, columns, arraysOf(alias, rows, columns));
}

/** Returns the columns of `tableOf`, for the placeholders of a prepared statement: each as `<alias>.<name>`. */
export function arraysOf<Alias extends string, Row, Values extends Columns<Row>>(
  alias: Alias,
  rows: readonly Row[],
  columns: Values,
): Record<ArrayName<Alias, Values>, Buffer> {
  const arrays = Object.entries<Column<Row>>(columns).map(([name, [type, valueOf]]) => {
    const encode = encoders[type] as (values: readonly unknown[]) => Buffer;
    return [`${alias}.${name}`, encode(rows.map((row, index) => valueOf(row, index)))];
  });
  return Object.fromEntries(arrays);
}

/** Returns the SQL of `tableOf` for arrays of `arraysOf`, or for placeholders of them. */
export function tableOfArrays<Alias extends string, Values extends Columns<never>>(
  alias: Alias,
  columns: Values,
  arrays: Readonly<Record<ArrayName<Alias, Values>, unknown>>,
): RawBuilder<unknown> {
  const names = Object.keys(columns).map(snakeCase).join(', ');
  const parameters = Object.entries(columns).map(
    ([name, [type]]) => sql`${arrays[`${alias}.${name}` as ArrayName<Alias, Values>]}::${sql.raw(type)}[]`,
  );
  return sql`unnest(${sql.join(parameters)}) as ${sql.raw(`${alias} (${names})`)}`;
}
