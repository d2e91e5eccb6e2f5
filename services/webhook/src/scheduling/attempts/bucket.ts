/**
 * A token bucket as one instant (generic cell rate algorithm): when it is full if no token is taken. A token is an
 * attempt.
 */
export interface Bucket {
  perSecond: number;
  /** How many tokens it holds. */
  burst: number;
  fullAtMs: number;
}

/** Returns when this number of tokens is available; never for more than `burst`. */
export function tokenAtMs({ perSecond, burst, fullAtMs }: Bucket, tokens: number): number {
  return tokens > burst ? Number.POSITIVE_INFINITY : fullAtMs - ((burst - tokens) * 1_000) / perSecond;
}

export function takeToken(bucket: Bucket, nowMs: number): Bucket {
  return { ...bucket, fullAtMs: Math.max(bucket.fullAtMs, nowMs) + 1_000 / bucket.perSecond };
}

/** Returns the bucket as if all tokens were taken at this instant, which a dead owner may have done. */
export function drainedAt(bucket: Bucket, atMs: number): Bucket {
  return { ...bucket, fullAtMs: Math.max(bucket.fullAtMs, atMs + (bucket.burst * 1_000) / bucket.perSecond) };
}
