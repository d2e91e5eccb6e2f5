import { AppError, invalidRequest } from '@parley/runtime/errors';

/** A place in the order of exports: that of transactions, and of ids within one. */
export interface ExportPlace {
  changedIn: string;
  id: string;
  /** When it was changed. */
  updatedAt: Date;
}

/** Before all changes, in every store. */
export const beginning: ExportPlace = {
  changedIn: '0',
  id: '00000000-0000-0000-0000-000000000000',
  updatedAt: new Date(0),
};

/**
 * Transactions that overlap set `updatedAt` in another order than that of their ids, and two servers have two clocks.
 * No transaction of Parley is this long.
 */
const overlapMs = 10 * 60_000;

const changedInForm = /^(?:0|[1-9]\d{0,18})$/;
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const instantForm = /^\d{1,15}$/;
/** Cursors of release 0.2.0 name no store. */
const formerForm = /^(?:0|[1-9]\d{0,18})\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the cursor of a place in a store. It is opaque and URL-safe. */
export function cursorOf(store: string, { changedIn, id, updatedAt }: ExportPlace): string {
  return Buffer.from([store, changedIn, id, updatedAt.getTime()].join(' ')).toString('base64url');
}

/**
 * Returns the place of a cursor in a store; of an empty one, the beginning. INVALID_ARGUMENT for a text that is no
 * cursor. `gone` for the cursor of another store: transactions have other numbers there, so later changes could have
 * lower ones. `isFirst`: the client gives the cursor, not the page before.
 */
export function placeOf(store: string, cursor: string, isFirst: boolean): ExportPlace {
  if (cursor === '') return beginning;
  if (formerForm.test(cursor)) {
    if (isFirst) throw expired('an instant some minutes before that of the last line');
    // A replica of 0.2.0 has returned the page before of the same export.
    const [changedIn = '', id = ''] = cursor.split('.');
    return { changedIn, id, updatedAt: beginning.updatedAt };
  }
  const [of, changedIn = '', id = '', instant = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!changedInForm.test(changedIn) || !idForm.test(id) || !instantForm.test(instant))
    throw invalidRequest([{ pointer: '/query/cursor', detail: 'Must be the cursor of a line of an export' }]);
  const updatedAt = new Date(Number(instant));
  if (changedIn === beginning.changedIn) return beginning;
  if (of === store) return { changedIn, id, updatedAt };
  throw expired(new Date(Math.max(0, updatedAt.getTime() - overlapMs)).toISOString());
}

function expired(updatedFrom: string): AppError {
  const detail = `The data have moved since this cursor was made. Export without it, with updatedFrom: ${updatedFrom}`;
  return new AppError('gone', 'cursor-expired', detail);
}
