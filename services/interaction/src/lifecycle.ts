import type { InteractionTable, Status } from './schema.ts';

// Into which statuses the client may move an interaction: the client's part of the table in section 4 of the contract. What
// is not here is refused. The others move by what they do: a customer starts a talk that is Pending, a bot completes one
// that it has come to the end of, the clock and anonymisation end what is open.
const clientMoves: Record<Status, readonly Status[]> = {
  Draft: ['Pending', 'InProgress', 'Expired'],
  Pending: ['Draft', 'InProgress', 'Completed', 'Expired'],
  InProgress: ['Completed', 'Expired'],
  Completed: [],
  Expired: ['Pending'],
};

/** Why a change is not made: the public text. */
export interface Refusal {
  type: 'illegal-transition' | 'illegal-expiry';
  refused: string;
}

interface WantedChange {
  status?: Status | undefined;
  /** When it is to expire: null for never, undefined to leave it as it is. */
  expiresAt?: Date | null | undefined;
}

/**
 * The status that an interaction has after the client's change, or why the change is refused (contract, section 4). Its
 * own status again is no change. An expired one comes back as Pending only together with an end in the future; what ends
 * takes none.
 */
export function nextStatus(current: Status, wanted: WantedChange, now: Date): { status: Status } | Refusal {
  const status = wanted.status ?? current;
  if (status !== current) {
    if (!clientMoves[current].includes(status)) {
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

/** Whether the interaction can still be talked to its end. */
export function isOpen(status: Status): boolean {
  return status === 'Draft' || status === 'Pending' || status === 'InProgress';
}

/** Whether the clock has ended an interaction that is still open in the database. */
export function isDue(row: Pick<InteractionTable, 'status' | 'expiresAt'>, now: Date): boolean {
  return isOpen(row.status) && row.expiresAt !== null && row.expiresAt <= now;
}
