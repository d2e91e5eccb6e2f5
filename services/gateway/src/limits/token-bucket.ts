/** `calls` at once; what is used up comes back evenly, all of it within `seconds`. */
export interface Quota {
  calls: number;
  seconds: number;
}

/** What became of a call, and what is left. */
interface Taken {
  isAllowed: boolean;
  /** Whole calls that may follow at once. */
  left: number;
  /** When the next call comes back; after a refusal, when the call would be allowed. Whole seconds, at least 1. */
  secondsToNext: number;
}

/** A quota for each of many holders. */
export interface TokenBuckets {
  /** Takes one call; a refused one costs nothing. */
  take(holder: string): Taken;
  /** How many holders are remembered. */
  size(): number;
}

/** Of how many holders a count is kept at most: some 20 MB. */
const holdersMaxDefault = 100_000;

// Far below one call, far above the rounding of a clock in milliseconds.
const roundingMs = 1e-3;

/**
 * Counts per holder, by one instant each: when the bucket will be full again (GCRA). Who has not been seen for `seconds`
 * has a full one and is forgotten; above `holdersMax` those who have not been seen for longest are, so made-up holders
 * cannot fill the memory. `now` in milliseconds must not go back.
 */
export function createTokenBuckets(
  quota: Quota,
  now: () => number,
  holdersMax = holdersMaxDefault,
): TokenBuckets {
  const windowMs = quota.seconds * 1000;
  const perCallMs = windowMs / quota.calls;
  // When each is full. Those seen since `recentSince`, and the ones before: forgetting is O(1), without timers.
  let recent = new Map<string, number>();
  let earlier = new Map<string, number>();
  let recentSince = now();

  const turn = (at: number): void => {
    if (recent.size < holdersMax / 2 && at - recentSince < windowMs) return;
    earlier = at - recentSince < 2 * windowMs ? recent : new Map();
    recent = new Map();
    recentSince = at;
  };
  return {
    take: (holder) => {
      const at = now();
      turn(at);
      const before = Math.max(at, recent.get(holder) ?? earlier.get(holder) ?? at);
      const after = before + perCallMs;
      const isAllowed = after - at <= windowMs + roundingMs;
      const owedMs = (isAllowed ? after : before) - at;
      recent.set(holder, at + owedMs);
      const calls = (windowMs - owedMs + roundingMs) / perCallMs;
      const left = Math.max(0, Math.floor(calls));
      const msToNext = (left + 1 - calls) * perCallMs;
      return { isAllowed, left, secondsToNext: Math.max(1, Math.ceil(msToNext / 1000)) };
    },
    size: () => recent.size + earlier.size,
  };
}
