import type { InteractionTable, Status } from '../schema.ts';

// The transitions by request. Other causes of transitions are the customer's start, the bot's end, the clock and
// anonymisation.
const clientTransitions: Record<Status, readonly Status[]> = {
  Draft: ['Pending', 'InProgress', 'Expired'],
  Pending: ['Draft', 'InProgress', 'Completed', 'Expired'],
  InProgress: ['Completed', 'Expired'],
  Completed: [],
  Expired: ['Pending'],
};

/** Why a change is rejected. `refused` is the public text. */
export interface ChangeRefusal {
  type: 'illegal-transition' | 'illegal-expiry';
  refused: string;
}

interface WantedChange {
  status?: Status | undefined;
  /** The new expiry: null for never, undefined for no change. */
  expiresAt?: Date | null | undefined;
}

/**
 * Returns the status after the client's change, or why it is rejected. The current status is no change. An Expired
 * interaction becomes Pending only with an expiry in the future. A final status takes no expiry.
 */
export function nextStatus(
  current: Status,
  wanted: WantedChange,
  now: Date,
): { status: Status } | ChangeRefusal {
  const status = wanted.status ?? current;
  if (status !== current) {
    if (!clientTransitions[current].includes(status)) {
      return {
        type: 'illegal-transition',
        refused: `An interaction that is ${current} cannot become ${status}`,
      };
    }
    if (current === 'Expired' && !(wanted.expiresAt && wanted.expiresAt > now)) {
      const refused = `An interaction that is Expired becomes ${status} only with an expiry in the future`;
      return { type: 'illegal-transition', refused };
    }
    if (wanted.expiresAt && !isOpen(status)) {
      return { type: 'illegal-expiry', refused: `An interaction that becomes ${status} takes no expiry` };
    }
  }
  if (wanted.expiresAt !== undefined && status === current && !isOpen(current)) {
    return {
      type: 'illegal-expiry',
      refused: `The expiry of an interaction that is ${current} cannot change`,
    };
  }
  return { status };
}

/** Returns whether the conversation can start or continue. */
export function isOpen(status: Status): boolean {
  return status === 'Draft' || status === 'Pending' || status === 'InProgress';
}

/** Returns whether an interaction has expired by the clock but is still open in the database. */
export function isDue(row: Pick<InteractionTable, 'status' | 'expiresAt'>, now: Date): boolean {
  return isOpen(row.status) && row.expiresAt !== null && row.expiresAt <= now;
}

/** Returns the row with its status by the clock. */
export function atTime<Row extends Pick<InteractionTable, 'status' | 'expiresAt'>>(row: Row, now: Date): Row {
  return isDue(row, now) ? { ...row, status: 'Expired' } : row;
}
