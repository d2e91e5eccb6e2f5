import type { AttemptResult } from '../sending/attempt.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

// Some of the limits are for statements, which count and move lanes.

/** A success that takes longer is not prompt. */
const promptMsMax = 2 * second;

/** How many deliveries of a lane may be under way: at first, and at least; grown by 1 with each success, at most. */
export const inFlightFirst = 1;
export const inFlightLimit = 32;
/** By how much a batch of results that has one without an answer divides it. */
export const inFlightDivisor = 2;
/** How many may be while the breaker is open: the one that finds out whether the receiver is back. */
export const inFlightProbing = 1;

const unansweredMax = 5;
/** Attempts and failures are counted for so long; then the counts begin anew. */
export const windowMs = 5 * minute;
const windowAttemptsMin = 10;
const failureShare = 0.7;
/** For how long the breaker is open at first, and at most. */
export const pauseMsMin = 30 * second;
const pauseMsMax = 10 * minute;
/** A webhook that has failed for so many days is disabled. */
export const failingDaysMax = 5;
export const failingMsMax = failingDaysMax * day;
/** After which shares of that time it is warned of, last first. */
export const warningShares = [0.9, 0.7, 0.5];
/** So long after its first failure there has to be another one: a webhook that is hardly used has not failed for days. */
export const failuresApartMs = 12 * hour;

/** What is known of a lane after a batch of results. */
export interface LaneAfter {
  /** How often the breaker has opened since it was closed; 0: it is closed. */
  openings: number;
  /** Failures without an answer in a row. */
  unanswered: number;
  windowAttempts: number;
  windowFailures: number;
  /** The first failure after the last success. */
  failingSince: Date | null;
  /** The first one that was twelve hours later, if it was in an earlier batch. */
  failingAgainAt: Date | null;
  /** When the last warning became due that was given. */
  warnedFor: Date | null;
  /** There was a success in this batch. */
  hasSucceeded: boolean;
  /** The attempt that was to find out whether the receiver is back has failed. */
  hasProbeFailed: boolean;
}

/** What to make of a lane's breaker. `pauseMs` is null when it is closed. */
export interface BreakerStep {
  openings: number;
  pauseMs: number | null;
}

/** Whether nobody answered: the receiver is away or overloaded, as far as can be seen. */
export function isUnanswered({ status, error }: Pick<AttemptResult, 'status' | 'error'>): boolean {
  return error !== null && error !== 'blocked_address' && (status === null || error === 'timeout_total');
}

/** Whether it was a success, soon. */
export function isPromptResult({ error, durationMs }: Pick<AttemptResult, 'error' | 'durationMs'>): boolean {
  return error === null && durationMs <= promptMsMax;
}

/**
 * The breaker opens after 5 failures without an answer in a row, or when at least 70 % of at least 10 attempts in the window failed. A
 * success closes it, a failed probe opens it for twice as long: 30 seconds to 10 minutes. Undefined: it stays as it is.
 */
export function breakerStep(lane: LaneAfter): BreakerStep | undefined {
  if (lane.openings > 0) {
    if (lane.hasSucceeded) return { openings: 0, pauseMs: null };
    return lane.hasProbeFailed ? opened(lane.openings + 1) : undefined;
  }
  const isSilent = lane.unanswered >= unansweredMax;
  const isFailing =
    lane.windowAttempts >= windowAttemptsMin && lane.windowFailures >= failureShare * lane.windowAttempts;
  return isSilent || isFailing ? opened(1) : undefined;
}

function opened(openings: number): BreakerStep {
  return { openings, pauseMs: Math.min(pauseMsMax, pauseMsMin * 2 ** (openings - 1)) };
}

/** Whether a webhook has failed for five days, and more often than at their two ends. */
export function hasFailedTooLong(
  { failingSince, failingAgainAt }: Pick<LaneAfter, 'failingSince' | 'failingAgainAt'>,
  nowMs: number,
): boolean {
  return failingSince !== null && failingAgainAt !== null && nowMs - failingSince.getTime() >= failingMsMax;
}

/** What is to be said of a webhook that will be disabled if it goes on failing. */
export interface Warning {
  /** Which share of the time until then is over. */
  share: number;
  /** When that was. */
  dueAt: Date;
  /** When it will be disabled. */
  disabledAt: Date;
}

/** The warning that a webhook's failures call for, after half, 70 and 90 % of the days. Undefined: none, or it was given. */
export function warningOf(
  {
    failingSince,
    failingAgainAt,
    warnedFor,
  }: Pick<LaneAfter, 'failingSince' | 'failingAgainAt' | 'warnedFor'>,
  nowMs: number,
): Warning | undefined {
  if (failingSince === null || failingAgainAt === null) return undefined;
  const afterFailing = (share: number) => new Date(failingSince.getTime() + share * failingMsMax);
  for (const share of warningShares) {
    const dueAt = afterFailing(share);
    if (dueAt.getTime() > nowMs) continue;
    return warnedFor === null || warnedFor < dueAt
      ? { share, dueAt, disabledAt: afterFailing(1) }
      : undefined;
  }
  return undefined;
}

/** Whether there is something to be done about a lane beside what a batch of results has written of it. */
export function hasConsequences(lane: LaneAfter, nowMs: number): boolean {
  return (
    breakerStep(lane) !== undefined || hasFailedTooLong(lane, nowMs) || warningOf(lane, nowMs) !== undefined
  );
}
