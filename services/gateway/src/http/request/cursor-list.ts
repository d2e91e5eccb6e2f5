import { createHash } from 'node:crypto';
import { invalidCursor } from '@parley/runtime/cursor';

/** The bytes of a cursor that name its list. */
const nameBytes = 6;

/** What decides where a page begins and how much it has, and not what is in the list. */
const notOfList: ReadonlySet<string> = new Set(['cursor', 'limit', 'format', 'updatedFrom']);

/** A list that is read by cursor: of an operation, a path and filters. Its service knows positions in it. */
export interface CursorList {
  /** Returns the cursor of a position: opaque and URL-safe. The beginning is an empty position. */
  cursorOf(position: string): string;
  /** Returns the position of a cursor. Throws `invalid-cursor` for another text, and for a cursor of another list. */
  positionOf(cursor: string): string;
}

/** Returns `meta` with the cursor of the next page in place of its position. */
export function withCursor<Meta extends object | undefined>(meta: Meta, list: CursorList | undefined): Meta {
  if (!list || !meta || !('nextCursor' in meta) || typeof meta.nextCursor !== 'string') return meta;
  return { ...meta, nextCursor: list.cursorOf(meta.nextCursor) };
}

/**
 * Returns the list that a request names. Clients keep cursors of exports for months: a filter that a later release adds
 * has no default, so that lists keep their names.
 */
export function cursorListOf(
  { operationId, formerCursor }: { operationId: string; formerCursor?: RegExp },
  params: unknown,
  query: object,
): CursorList {
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !notOfList.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const name = nameOf([operationId, params, filters]);
  // At the beginning, no filter has left anything out.
  const beginning = nameOf([operationId, params]);
  return {
    cursorOf: (position) =>
      Buffer.concat([position === '' ? beginning : name, Buffer.from(position)]).toString('base64url'),
    positionOf: (cursor) => {
      if (formerCursor?.test(cursor)) return cursor;
      const bytes = Buffer.from(cursor, 'base64url');
      const wanted = bytes.length === nameBytes ? beginning : name;
      const isOfForm = bytes.toString('base64url') === cursor;
      if (!isOfForm || !bytes.subarray(0, nameBytes).equals(wanted)) throw invalidCursor();
      return bytes.subarray(nameBytes).toString();
    },
  };
}

function nameOf(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, nameBytes);
}
