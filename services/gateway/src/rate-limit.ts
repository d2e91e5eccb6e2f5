import { AppError } from '@parley/runtime/errors';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Header fields that tell of a limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export type RateLimitFields = Record<'RateLimit-Policy' | 'RateLimit', string>;

/** Whether a call may go on, and what to tell the client. */
export interface RateLimit {
  take(apiKey: string): Promise<{ fields: RateLimitFields; refusal: AppError | undefined }>;
}

/** The reserve that bursts are paid from is full again after this. */
const burstWindowSeconds = 5;

/**
 * Lets a key make `perSecond` calls a second and, from a reserve, up to `burst` at once. Each gateway counts for
 * itself. The fields tell of the steady rate: the reserve is beyond what a client should plan with.
 */
export function createRateLimit({ perSecond, burst }: { perSecond: number; burst: number }): RateLimit {
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix: 'rate', points: perSecond, duration: 1 }),
    new RateLimiterMemory({
      keyPrefix: 'burst',
      points: Math.max(0, burst - perSecond),
      duration: burstWindowSeconds,
    }),
  );
  const policy = `"key";q=${perSecond};w=1`;
  const fieldsOf = (state: RateLimiterRes): RateLimitFields => ({
    'RateLimit-Policy': policy,
    RateLimit: `"key";r=${state.remainingPoints};t=${secondsUntil(state)}`,
  });

  return {
    take: async (apiKey) => {
      try {
        return { fields: fieldsOf(await limiter.consume(apiKey)), refusal: undefined };
      } catch (state) {
        if (!(state instanceof RateLimiterRes)) throw state;
        const refusal = new AppError(
          'resource_exhausted',
          'rate-limited',
          'Too many calls with this API key',
          {
            retryAfterSeconds: Math.max(1, secondsUntil(state)),
          },
        );
        return { fields: fieldsOf(state), refusal };
      }
    },
  };
}

function secondsUntil({ msBeforeNext }: RateLimiterRes): number {
  return Math.ceil(Math.max(0, msBeforeNext) / 1000);
}
