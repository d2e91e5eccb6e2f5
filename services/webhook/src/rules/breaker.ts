const second = 1_000;
const minute = 60 * second;

const unansweredMax = 5;
const windowMs = 5 * minute;
const windowAttemptsMin = 10;
const failureShare = 0.7;
const pauseMsMin = 30 * second;
const pauseMsMax = 10 * minute;

/** The counts of a closed breaker. They are reset after five minutes, and when the breaker moves. */
export interface Breaker {
  /** Consecutive attempts without an answer. */
  unanswered: number;
  windowStartedAtMs: number;
  attempts: number;
  failures: number;
}

/** The next state of a breaker. `pauseMs` is null if it closes. */
interface BreakerStep {
  openings: number;
  pauseMs: number | null;
}

export function closedBreaker(nowMs: number): Breaker {
  return { unanswered: 0, windowStartedAtMs: nowMs, attempts: 0, failures: 0 };
}

/** Returns the counts after an attempt. `isSilent`: the receiver did not answer. */
export function countAttempt(
  breaker: Breaker,
  { isSuccess, isSilent, nowMs }: { isSuccess: boolean; isSilent: boolean; nowMs: number },
): Breaker {
  const window = nowMs - breaker.windowStartedAtMs > windowMs ? closedBreaker(nowMs) : breaker;
  return {
    windowStartedAtMs: window.windowStartedAtMs,
    unanswered: isSilent ? breaker.unanswered + 1 : 0,
    attempts: window.attempts + 1,
    failures: window.failures + Number(!isSuccess),
  };
}

/**
 * Returns the next state of a breaker after an attempt; undefined if it does not change. A success closes an open
 * breaker. A failed probe doubles its pause, from 30 seconds to 10 minutes.
 */
export function breakerStep(
  { unanswered, attempts, failures }: Breaker,
  { openings, isSuccess, isProbe }: { openings: number; isSuccess: boolean; isProbe: boolean },
): BreakerStep | undefined {
  if (openings > 0) {
    if (isSuccess) return { openings: 0, pauseMs: null };
    return isProbe ? opened(openings + 1) : undefined;
  }
  const isFailing = attempts >= windowAttemptsMin && failures >= failureShare * attempts;
  return unanswered >= unansweredMax || isFailing ? opened(1) : undefined;
}

function opened(openings: number): BreakerStep {
  return { openings, pauseMs: Math.min(pauseMsMax, pauseMsMin * 2 ** (openings - 1)) };
}
