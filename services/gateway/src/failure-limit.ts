import { AppError } from '@parley/runtime/errors';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Counts failed authentications. */
export interface FailureLimit {
  /** Counts one. 429 once the address, or the key, has had more than its share of a minute. */
  count(address: string, apiKey: string | undefined): Promise<void>;
}

/**
 * At most `perMinute` failed authentications per address, and per API key wherever they come from. Each gateway
 * counts for itself. An address that is over its limit is not counted against keys, nor is text that cannot be a
 * key, so that made-up keys cannot fill the memory.
 */
export function createFailureLimit(perMinute: number): FailureLimit {
  const byAddress = new RateLimiterMemory({ keyPrefix: 'address', points: perMinute, duration: 60 });
  const byKey = new RateLimiterMemory({ keyPrefix: 'key', points: perMinute, duration: 60 });

  const add = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
    if (consumedPoints <= perMinute) return;
    throw new AppError('resource_exhausted', 'too-many-failures', 'Too many failed authentications', {
      retryAfterSeconds: Math.ceil(msBeforeNext / 1000),
    });
  };
  return {
    count: async (address, apiKey) => {
      await add(byAddress, address);
      if (apiKey && /^prl_key_[0-9A-Za-z]{22}$/.test(apiKey)) await add(byKey, apiKey);
    },
  };
}
