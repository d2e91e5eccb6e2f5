import { AppError } from '@parley/runtime/errors';
import type { Config } from '../config.ts';
import { createTokenBuckets, type Quota } from './token-bucket.ts';

/** The header fields of a limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export type RateLimitFields = Record<'RateLimit-Policy' | 'RateLimit', string>;

/** A limit of calls per holder. */
export interface RateLimit {
  /** Takes a call. Returns the header fields for the client, and the error if the call is rejected. */
  take(holder: string): { fields: RateLimitFields; refusal: AppError | undefined };
  /** Returns whether a call would be rejected now. */
  isExhausted(holder: string): boolean;
}

/** The limits by their names in header fields, with the details of their errors. */
export const rateLimitRefusals = {
  key: 'Too many calls with this API key',
  sessions: 'Too many calls for sessions of this customer or link',
  pending: 'Too many calls in this session',
  conversation: 'Too many calls in this session',
  messages: 'Too many calls in this session',
  workspaces: 'Too many calls about further workspaces from this address',
  failures: 'Too many failed authentications',
} as const;

export type RateLimitName = keyof typeof rateLimitRefusals;

/** All limits of calls. Each gateway counts for itself, in its memory. */
export type RateLimits = Record<RateLimitName, RateLimit>;

/** Returns the limits. `now` is a clock in milliseconds. */
export function createRateLimits(limits: Config['limits'], now: () => number): RateLimits {
  const { callsPerSecond, callsBurst } = limits;
  const perMinute = (name: RateLimitName, calls: number): RateLimit =>
    createRateLimit(name, { calls, seconds: 60 }, now);
  return {
    key: createRateLimit('key', { calls: callsBurst, seconds: callsBurst / callsPerSecond }, now),
    sessions: perMinute('sessions', limits.sessionsPerMinute),
    pending: perMinute('pending', limits.pendingPerMinute),
    conversation: perMinute('conversation', limits.conversationCallsPerMinute),
    messages: perMinute('messages', limits.messagesPerMinute),
    workspaces: perMinute('workspaces', limits.workspaceLookupsPerMinute),
    failures: perMinute('failures', limits.authFailuresPerMinute),
  };
}

function createRateLimit(name: RateLimitName, quota: Quota, now: () => number): RateLimit {
  const buckets = createTokenBuckets(quota, now);
  const policy = `"${name}";q=${quota.calls};w=${Math.ceil(quota.seconds)}`;
  const type = name === 'failures' ? 'too-many-failures' : 'rate-limited';
  return {
    isExhausted: buckets.isEmpty,
    take: (holder) => {
      const { isAllowed, left, secondsToNext } = buckets.take(holder);
      const fields = { 'RateLimit-Policy': policy, RateLimit: `"${name}";r=${left};t=${secondsToNext}` };
      if (isAllowed) return { fields, refusal: undefined };
      const refusal = new AppError('resource_exhausted', type, rateLimitRefusals[name], {
        retryAfterSeconds: secondsToNext,
      });
      return { fields, refusal };
    },
  };
}

/** Counts a call of the holder. 429 beyond the limit; only that answer gets the header fields of the limit. */
export function consumeOrThrow(fields: Record<string, string>, limit: RateLimit, holder: string): void {
  const { fields: limitFields, refusal } = limit.take(holder);
  if (!refusal) return;
  Object.assign(fields, limitFields);
  throw refusal;
}
