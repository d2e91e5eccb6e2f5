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
 * Returns how often a breaker has opened after an attempt; 0: it is closed. A success closes an open breaker. A failed
 * probe opens it again.
 */
export function nextOpenings(
  { unanswered, attempts, failures }: Breaker,
  { openings, isSuccess, isProbe }: { openings: number; isSuccess: boolean; isProbe: boolean },
): number {
  if (openings > 0) return isSuccess ? 0 : openings + Number(isProbe);
  const isFailing = attempts >= windowAttemptsMin && failures >= failureShare * attempts;
  return Number(unanswered >= unansweredMax || isFailing);
}

/** Returns the pause of a breaker that opens. Each failed probe doubles it, from 30 seconds to 10 minutes. */
export function breakerPauseMs(openings: number): number {
  return Math.min(pauseMsMax, pauseMsMin * 2 ** (openings - 1));
}
