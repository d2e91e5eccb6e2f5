import type { InteractionTable, Status } from './schema.ts';

/** Who moves an interaction on. */
export type Mover = 'client' | 'customer' | 'bot' | 'clock';

// Who may move an interaction from the first status into the second. What is not here is refused.
const moves: Record<Status, Partial<Record<Status, readonly Mover[]>>> = {
  Draft: { Pending: ['client'], InProgress: ['client'], Expired: ['client', 'clock'] },
  Pending: {
    Draft: ['client'],
    InProgress: ['client', 'customer'],
    Completed: ['client'],
    Expired: ['client', 'clock'],
  },
  InProgress: { Completed: ['client', 'bot'], Expired: ['client', 'clock'] },
  Completed: {},
  Expired: { Pending: ['client'] },
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
 * The status that an interaction has after a change, or why the change is refused (contract, section 4). Its own status
 * again is no change. An expired one comes back as Pending only together with an end in the future.
 */
export function nextStatus(
  current: Status,
  wanted: WantedChange,
  mover: Mover,
  now: Date,
): { status: Status } | Refusal {
  const status = wanted.status ?? current;
  if (status !== current) {
    if (!moves[current][status]?.includes(mover)) {
      return {
        type: 'illegal-transition',
        refused: `An interaction that is ${current} cannot become ${status}`,
      };
    }
    if (current === 'Expired' && !(wanted.expiresAt && wanted.expiresAt > now)) {
      const refused = `An interaction that is Expired becomes ${status} only with an expiry in the future`;
      return { type: 'illegal-transition', refused };
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
