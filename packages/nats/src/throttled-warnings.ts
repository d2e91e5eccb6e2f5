import { AuthorizationError } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/telemetry/logger';

/** Warnings about a connection that is retried without end. Not every fault is logged. */
export interface ThrottledWarnings {
  /** Logs or skips a fault: the server is unreachable, refuses the credentials or has returned an error. */
  warn(fault: unknown, message: string): void;
  /** Call after a success: the next fault is logged at once. */
  reset(): void;
}

/** At least one fault in this many is logged: with four attempts a second, two a minute. */
const stepMax = 128;

/** Logs the first, second, fourth, ... fault since the last success, and then every 128th. */
export function createThrottledWarnings(logger: Logger): ThrottledWarnings {
  let faults = 0;
  return {
    warn: (fault, message) => {
      faults += 1;
      const isPowerOfTwo = (faults & (faults - 1)) === 0;
      if (!isPowerOfTwo && faults % stepMax !== 0) return;
      const refused = fault instanceof AuthorizationError && 'NATS refuses the credentials of NATS_URL';
      logger.warn({ err: fault }, refused || message);
    },
    reset: () => {
      faults = 0;
    },
  };
}
