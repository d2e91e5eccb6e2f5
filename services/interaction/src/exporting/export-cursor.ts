import { instantPart, positionsOf, textPart, uuidPart } from '@parley/runtime/cursor';
import { AppError } from '@parley/runtime/errors';

/** A position in the order of exports: by transaction, then by id. */
export interface ExportPosition {
  changedIn: string;
  id: string;
  updatedAt: Date;
}

/** Before all changes, in every store. */
export const beginning: ExportPosition = {
  changedIn: '0',
  id: '00000000-0000-0000-0000-000000000000',
  updatedAt: new Date(0),
};

/**
 * Transactions that overlap set `updatedAt` in another order than their ids, and two servers have two clocks. No
 * transaction of Parley is this long.
 */
const overlapMs = 10 * 60_000;

const positions = positionsOf<ExportPosition & { store: string }>({
  store: textPart((text) => /^[0-9a-f]{16}$/.test(text)),
  changedIn: textPart((text) => /^(?:0|[1-9]\d{0,18})$/.test(text)),
  id: uuidPart,
  updatedAt: instantPart,
});
/** Cursors of release 0.2.0 name no store. */
const formerForm = /^(?:0|[1-9]\d{0,18})\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the cursor of a position in a store; an empty one for the beginning, which all stores have. */
export function cursorOf(store: string, position: ExportPosition): string {
  return position.changedIn === beginning.changedIn ? '' : positions.write({ store, ...position });
}

/**
 * Returns the position of a cursor in a store; of an empty one, the beginning. INVALID_ARGUMENT for a text that is no
 * cursor. `gone` for the cursor of another store: transactions have other numbers there, so later changes could have
 * lower ones. `isFirst`: the client gives the cursor, not the page before.
 */
export function positionOf(store: string, cursor: string, isFirst: boolean): ExportPosition {
  if (formerForm.test(cursor)) {
    if (isFirst) throw expired('an instant some minutes before that of the last line');
    // A replica of 0.2.0 has returned the export's page before.
    const [changedIn = '', id = ''] = cursor.split('.');
    return { changedIn, id, updatedAt: beginning.updatedAt };
  }
  const { store: of, ...position } = positions.read(cursor) ?? { store, ...beginning };
  if (position.changedIn === beginning.changedIn) return beginning;
  if (of === store) return position;
  const { updatedAt } = position;
  throw expired(new Date(Math.max(0, updatedAt.getTime() - overlapMs)).toISOString());
}

function expired(updatedFrom: string): AppError {
  const detail = `The data have moved since this cursor was made. Export without it, with updatedFrom: ${updatedFrom}`;
  return new AppError('gone', 'cursor-expired', detail);
}
