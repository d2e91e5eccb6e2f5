const second = 1_000;
const minute = 60 * second;

const unansweredMax = 5;
const windowMs = 5 * minute;
const windowAttemptsMin = 10;
const failureShare = 0.7;
const pauseMsMin = 30 * second;
const pauseMsMax = 10 * minute;

/** What a closed breaker counts. Counting starts again after five minutes, and whenever the breaker moves. */
export interface Breaker {
  /** Failures without an answer in a row. */
  unanswered: number;
  windowStartedAtMs: number;
  attempts: number;
  failures: number;
}

/** What to make of a breaker. `pauseMs` is null when it is closed. */
interface BreakerStep {
  openings: number;
  pauseMs: number | null;
}

export function closedBreaker(nowMs: number): Breaker {
  return { unanswered: 0, windowStartedAtMs: nowMs, attempts: 0, failures: 0 };
}

/** Returns the counts after an attempt. `isSilent`: nobody answered. */
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
 * Returns how the breaker moves after an attempt; undefined: it stays as it is. A success closes an open one. A failed
 * probe opens it for twice as long: 30 seconds to 10 minutes.
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
