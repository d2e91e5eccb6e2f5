import { bulkLimits } from '@parley/contracts/limits';
import { AppError } from '@parley/runtime/errors';
import type { Config } from '../config.ts';
import {
  createTokenBuckets,
  createWindows,
  type Quota,
  type Taken,
  type TokenBuckets,
} from './token-bucket.ts';

/** The header fields of a limit (IETF draft-ietf-httpapi-ratelimit-headers). */
export type RateLimitFields = Record<'RateLimit-Policy' | 'RateLimit', string>;

/** A limit of calls per client. */
export interface RateLimit {
  /** Takes a call. Returns the header fields for the client, and the error if the call is rejected. */
  take(client: string): { fields: RateLimitFields; refusal: AppError | undefined };
  /**
   * Takes the further calls for which an admitted one counts, and returns the header fields. They may be more than are
   * left: then later calls wait for them.
   */
  charge(client: string, calls: number): RateLimitFields;
  isExhausted(client: string): boolean;
}

/** The limits by their names in header fields, with the details of their errors. */
export const rateLimitRefusals = {
  key: 'Too many calls of this API key or person, or of the portal of this workspace',
  sessions: 'Too many calls for sessions of this customer or link',
  pending: 'Too many calls in this session',
  conversation: 'Too many calls in this session',
  messages: 'Too many calls in this session',
  workspaces: 'Too many calls about further workspaces from this address',
  signIns: 'Too many sign-ins from this address',
  starts: 'Too many conversations of open links from this address',
  linkStarts: 'Too many conversations of this open link',
  failures: 'Too many failed authentications',
} as const;

export type RateLimitName = keyof typeof rateLimitRefusals;

/** The limits that hold exactly in any minute. */
type WindowName = 'starts' | 'linkStarts';

/** Each gateway counts for itself, in its memory. */
export type RateLimits = Record<Exclude<RateLimitName, WindowName>, RateLimit> &
  Record<WindowName, Pick<RateLimit, 'take'>>;

/** `now` is a clock in milliseconds. */
export function createRateLimits(limits: Config['limits'], now: () => number): RateLimits {
  const { callsPerSecond, callsBurst } = limits;
  const perMinute = (name: RateLimitName, calls: number): RateLimit =>
    createRateLimit(name, { calls, seconds: 60 }, now);
  const inAnyMinute = (name: WindowName, calls: number): Pick<RateLimit, 'take'> => {
    const quota = { calls, seconds: 60 };
    return { take: takeFrom(name, createWindows(quota, now), fieldsFor(name, quota)) };
  };
  return {
    key: createRateLimit(
      'key',
      {
        calls: callsBurst,
        seconds: callsBurst / callsPerSecond,
        chargeMax: callsOfItems(bulkLimits.itemsMax),
      },
      now,
    ),
    sessions: perMinute('sessions', limits.sessionsPerMinute),
    pending: perMinute('pending', limits.pendingPerMinute),
    conversation: perMinute('conversation', limits.conversationCallsPerMinute),
    messages: perMinute('messages', limits.messagesPerMinute),
    workspaces: perMinute('workspaces', limits.workspaceLookupsPerMinute),
    signIns: perMinute('signIns', limits.signInsPerMinute),
    starts: inAnyMinute('starts', limits.startsPerAddressPerMinute),
    linkStarts: inAnyMinute('linkStarts', limits.startsPerLinkPerMinute),
    failures: perMinute('failures', limits.authFailuresPerMinute),
  };
}

/**
 * How many items of a bulk call count as one call: an item costs at most 0.3 of a single call, so a bulk call is no way
 * around the limit.
 */
export const itemsPerCall = 3;

/** Returns as how many calls a bulk call of so many items counts. */
export function callsOfItems(items: number): number {
  return Math.ceil(items / itemsPerCall);
}

function createRateLimit(name: RateLimitName, quota: Quota, now: () => number): RateLimit {
  const buckets = createTokenBuckets(quota, now);
  const fieldsOf = fieldsFor(name, quota);
  return {
    isExhausted: buckets.isEmpty,
    charge: (client, calls) => fieldsOf(buckets.charge(client, calls)),
    take: takeFrom(name, buckets, fieldsOf),
  };
}

type FieldsOf = (taken: Taken) => RateLimitFields;

function fieldsFor(name: RateLimitName, { calls, seconds }: Quota): FieldsOf {
  const policy = `"${name}";q=${calls};w=${Math.ceil(seconds)}`;
  return ({ left, secondsToNext }) => ({
    'RateLimit-Policy': policy,
    RateLimit: `"${name}";r=${left};t=${secondsToNext}`,
  });
}

function takeFrom(
  name: RateLimitName,
  { take }: Pick<TokenBuckets, 'take'>,
  fieldsOf: FieldsOf,
): RateLimit['take'] {
  const type = name === 'failures' ? 'too-many-failures' : 'rate-limited';
  return (client) => {
    const taken = take(client);
    const { isAllowed, secondsToNext } = taken;
    const fields = fieldsOf(taken);
    if (isAllowed) return { fields, refusal: undefined };
    const refusal = new AppError('resource_exhausted', type, rateLimitRefusals[name], {
      retryAfterSeconds: secondsToNext,
    });
    return { fields, refusal };
  };
}

/** Counts a call of the client. 429 beyond the limit; only that answer gets the header fields of the limit. */
export function consumeOrThrow(
  fields: Record<string, string>,
  limit: Pick<RateLimit, 'take'>,
  client: string,
): void {
  const { fields: limitFields, refusal } = limit.take(client);
  if (!refusal) return;
  Object.assign(fields, limitFields);
  throw refusal;
}
