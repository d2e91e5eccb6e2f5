import { hash } from 'node:crypto';
import { AppError } from '@parley/runtime/errors';
import { createTokenBuckets, type TokenBuckets } from './token-bucket.ts';

/** Counts failed authentications: by keys, by customer tokens and by links. */
export interface FailureLimit {
  /** Counts one. 429 once the address, or the key, has had more than its share of a minute. */
  count(address: string, apiKey: string | undefined): void;
}

/**
 * At most `perMinute` failed authentications per address, and per API key wherever they come from. Each gateway
 * counts for itself, by digests, which hold on to nothing else that the request had. An address that is over its limit is not counted against keys.
 */
export function createFailureLimit(perMinute: number, now: () => number): FailureLimit {
  const quota = { calls: perMinute, seconds: 60 };
  const byAddress = createTokenBuckets(quota, now);
  const byKey = createTokenBuckets(quota, now);
  return {
    count: (address, apiKey) => {
      add(byAddress, address);
      if (apiKey !== undefined) add(byKey, hash('sha256', apiKey, 'base64url'));
    },
  };
}

function add(buckets: TokenBuckets, holder: string): void {
  const { isAllowed, secondsToNext } = buckets.take(holder);
  if (isAllowed) return;
  throw new AppError('resource_exhausted', 'too-many-failures', 'Too many failed authentications', {
    retryAfterSeconds: secondsToNext,
  });
}
