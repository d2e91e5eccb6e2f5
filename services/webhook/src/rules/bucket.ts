/**
 * A token bucket, kept as one instant (the generic cell rate algorithm): when it would be full if nothing more were
 * taken. A token is an attempt.
 */
export interface Bucket {
  perSecond: number;
  /** How many tokens it holds. */
  burst: number;
  fullAtMs: number;
}

/** Returns when so many tokens are there at once; at most `burst`. */
export function tokenAtMs({ perSecond, burst, fullAtMs }: Bucket, tokens: number): number {
  return tokens > burst ? Number.POSITIVE_INFINITY : fullAtMs - ((burst - tokens) * 1_000) / perSecond;
}

/** Returns the bucket with one token less. */
export function takeToken(bucket: Bucket, nowMs: number): Bucket {
  return { ...bucket, fullAtMs: Math.max(bucket.fullAtMs, nowMs) + 1_000 / bucket.perSecond };
}

/** Returns the bucket as it is at most when a dead owner may have taken all tokens until this instant. */
export function drainedAt(bucket: Bucket, atMs: number): Bucket {
  return { ...bucket, fullAtMs: Math.max(bucket.fullAtMs, atMs + (bucket.burst * 1_000) / bucket.perSecond) };
}
