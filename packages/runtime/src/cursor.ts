import { AppError } from './errors.ts';
import { uuidOrUndefined } from './telemetry/span-ids.ts';

/** A part of a position in a list: its text, without `_` unless it is the only part, and back. */
interface Part<Value> {
  write(value: Value): string;
  /** Undefined for a text that is no such part. */
  read(text: string): Value | undefined;
}

export function textPart(isOfForm: (text: string) => boolean): Part<string> {
  return { write: (value) => value, read: (text) => (isOfForm(text) ? text : undefined) };
}

export const uuidPart: Part<string> = textPart((text) => uuidOrUndefined(text) !== undefined);

/** A whole number from 1 that an `int` of Postgres can have. */
export const numberPart: Part<number> = {
  write: String,
  read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
};

/** An instant, in milliseconds. */
export const instantPart: Part<Date> = {
  write: (instant) => String(instant.getTime()),
  read: (text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : undefined),
};

/** Where a list continues: behind a row, of which it has what the list is ordered by. */
export interface Positions<Position> {
  write(position: Position): string;
  /**
   * Returns the position of a cursor; undefined for an empty one, the beginning. Throws `invalid-cursor` for another
   * text. `pointer`: the cursor in the request.
   */
  read(cursor: string, pointer?: string): Position | undefined;
}

/** Returns the form of the positions of a list, by the names of their parts. */
export function positionsOf<Position extends object>(
  parts: {
    [Name in keyof Position]: Part<Position[Name]>;
  },
): Positions<Position> {
  const all = Object.entries(parts) as [keyof Position, Part<unknown>][];
  return {
    write: (position) => all.map(([name, part]) => part.write(position[name])).join('_'),
    read: (cursor, pointer) => {
      if (cursor === '') return undefined;
      const texts = all.length === 1 ? [cursor] : cursor.split('_');
      const read = all.map(([name, part], at) => [name, part.read(texts[at] ?? '')] as const);
      if (texts.length !== all.length || read.some(([, value]) => value === undefined))
        throw invalidCursor(pointer);
      return Object.fromEntries(read) as Position;
    },
  };
}

export interface CursorPage<Row> {
  rows: Row[];
  /** Empty after the last page. */
  nextCursor: string;
}

/** Reads a page of a list: `list` returns at most so many rows behind a position. */
export async function readPage<Position, Row extends Position>(
  positions: Positions<Position>,
  { cursor, limit }: { cursor: string; limit: number },
  list: (after: Position | undefined, limit: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> {
  const found = await list(positions.read(cursor), limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last ? positions.write(last) : '' };
}

/** Returns 400 for a text that is not the cursor of this list. */
export function invalidCursor(pointer = '/query/cursor'): AppError {
  return new AppError('invalid_argument', 'invalid-cursor', 'The cursor is not one of this list', {
    faults: [{ pointer, detail: 'Must be the nextCursor of a page of this list' }],
  });
}

/** The positions of lists that are ordered by a UUID. */
export const idPositions = positionsOf<{ id: string }>({ id: uuidPart });
