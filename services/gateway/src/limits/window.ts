import { createGenerations } from './generations.ts';
import { type Quota, roundingMs, type TokenBuckets } from './token-bucket.ts';

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
