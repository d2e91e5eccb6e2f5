import { AppError } from '@parley/runtime/errors';
import type { Config } from '../config.ts';
import { createTokenBuckets, type Quota } from './token-bucket.ts';

/** The header fields of a limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export type RateLimitFields = Record<'RateLimit-Policy' | 'RateLimit', string>;

/** The decision on a call, and the header fields for the client. */
export interface RateLimit {
  take(holder: string): { fields: RateLimitFields; refusal: AppError | undefined };
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

/** Returns the quotas of a deployment. */
function quotasOf(limits: Config['limits']): Record<RateLimitName, Quota> {
  const { callsPerSecond, callsBurst } = limits;
  return {
    key: { calls: callsBurst, seconds: callsBurst / callsPerSecond },
    sessions: { calls: limits.sessionsPerMinute, seconds: 60 },
    pending: { calls: limits.pendingPerMinute, seconds: 60 },
    conversation: { calls: limits.conversationCallsPerMinute, seconds: 60 },
    messages: { calls: limits.messagesPerMinute, seconds: 60 },
    workspaces: { calls: limits.workspaceLookupsPerMinute, seconds: 60 },
    failures: { calls: limits.authFailuresPerMinute, seconds: 60 },
  };
}

/** Returns the limits. `now` is a clock in milliseconds. */
export function createRateLimits(limits: Config['limits'], now: () => number): RateLimits {
  const quotas = quotasOf(limits);
  const create = (name: RateLimitName): RateLimit => createRateLimit(name, quotas[name], now);
  return {
    key: create('key'),
    sessions: create('sessions'),
    pending: create('pending'),
    conversation: create('conversation'),
    messages: create('messages'),
    workspaces: create('workspaces'),
    failures: create('failures'),
  };
}

function createRateLimit(name: RateLimitName, quota: Quota, now: () => number): RateLimit {
  const buckets = createTokenBuckets(quota, now);
  const policy = `"${name}";q=${quota.calls};w=${Math.ceil(quota.seconds)}`;
  const type = name === 'failures' ? 'too-many-failures' : 'rate-limited';
  return {
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
