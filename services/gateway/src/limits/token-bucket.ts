import { createGenerations } from './generations.ts';

/** `calls` at once. Used calls return evenly, all of them within `seconds`. */
export interface Quota {
  calls: number;
  seconds: number;
  /** The largest number of calls that `charge` takes at once. Default: none. */
  chargeMax?: number;
}

export interface Taken {
  isAllowed: boolean;
  /** The whole calls that may follow at once. */
  left: number;
  /** Whole seconds until the next call returns, or until the rejected call would be allowed. At least 1. */
  secondsToNext: number;
}

export interface TokenBuckets {
  /** A rejected call costs nothing. */
  take(client: string): Taken;
  /**
   * Takes the further calls for which one that was allowed counts. If they are more than are left, the bucket owes
   * calls: they must return before the next one is allowed.
   */
  charge(client: string, calls: number): Taken;
  isEmpty(client: string): boolean;
}

/** Far below one call, and far above the rounding error of the clock. */
export const roundingMs = 1e-3;

/**
 * Returns a token bucket per client (GCRA): it stores the instant at which the bucket is full. Clients
 * whose bucket is full by now are evicted. `now` is a monotonic clock in milliseconds.
 */
export function createTokenBuckets(quota: Quota, now: () => number, holdersMax?: number): TokenBuckets {
  const windowMs = quota.seconds * 1000;
  const perCallMs = windowMs / quota.calls;
  // The longest time until a bucket is full.
  const keptMs = windowMs + (quota.chargeMax ?? 0) * perCallMs;
  // The instants at which buckets are full.
  const fullAts = createGenerations<number>(keptMs, now(), holdersMax);

  const fullAt = (client: string, at: number): number => Math.max(at, fullAts.get(client) ?? at);
  const settle = (client: string, calls: number, isRefusable: boolean): Taken => {
    const at = now();
    const before = fullAt(client, at);
    const after = before + calls * perCallMs;
    const isAllowed = !isRefusable || after - at <= windowMs + roundingMs;
    const owedMs = (isAllowed ? after : before) - at;
    fullAts.set(client, at + owedMs, at);
    const whole = (windowMs - owedMs + roundingMs) / perCallMs;
    const left = Math.max(0, Math.floor(whole));
    const msToNext = (left + 1 - whole) * perCallMs;
    return { isAllowed, left, secondsToNext: Math.max(1, Math.ceil(msToNext / 1000)) };
  };
  return {
    isEmpty: (client) => {
      const at = now();
      return fullAt(client, at) + perCallMs - at > windowMs + roundingMs;
    },
    take: (client) => settle(client, 1, true),
    charge: (client, calls) => settle(client, calls, false),
  };
}

/**
 * Returns a limit per client that is exact: at most `calls` in any period of `seconds`. It stores the instant of each
 * call in the last one, so `calls` should be few. A token bucket accepts up to twice as many in its first period. `now`
 * is a monotonic clock in milliseconds.
 */
export function createWindows(
  { calls, seconds }: Pick<Quota, 'calls' | 'seconds'>,
  now: () => number,
  holdersMax?: number,
): Pick<TokenBuckets, 'take'> {
  const windowMs = seconds * 1000;
  const takenAts = createGenerations<number[]>(windowMs, now(), holdersMax);
  return {
    take: (client) => {
      const at = now();
      const taken = (takenAts.get(client) ?? []).filter((takenAt) => at - takenAt < windowMs - roundingMs);
      const isAllowed = taken.length < calls;
      if (isAllowed) taken.push(at);
      takenAts.set(client, taken, at);
      const [oldest = at] = taken;
      const secondsToNext = Math.max(1, Math.ceil((oldest + windowMs - at) / 1000));
      return { isAllowed, left: calls - taken.length, secondsToNext };
    },
  };
}
