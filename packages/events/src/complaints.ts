import { AuthorizationError } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';

/** Warnings about a connection that is tried again without end: told again and again, but not each time. */
export interface Complaints {
  /** The server cannot be reached, does not let us in, or has refused something. */
  tell(fault: unknown, message: string): void;
  /** All is well: the next one is told at once. */
  forget(): void;
}

/** One in this many is told at least: at four attempts a second, two a minute. */
const stepMax = 128;

/** Of the faults since all was well the first, second, fourth, ... and then every 128th is told. */
export function createComplaints(logger: Logger): Complaints {
  let faults = 0;
  return {
    tell: (fault, message) => {
      faults += 1;
      const isPowerOfTwo = (faults & (faults - 1)) === 0;
      if (!isPowerOfTwo && faults % stepMax !== 0) return;
      const refused = fault instanceof AuthorizationError && 'NATS refuses the credentials of NATS_URL';
      logger.warn({ err: fault }, refused || message);
    },
    forget: () => {
      faults = 0;
    },
  };
}
