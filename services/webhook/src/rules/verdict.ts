import { retryAfterMs, retryAfterMsMax } from '@parley/runtime/retry-after';
import type { AttemptResult } from '../sending/attempt.ts';
import { retryDelayMs } from './backoff.ts';

/** For so long after a delivery was made its receiver may have it wait without losing an attempt: nothing waits for ever. */
export const freePausesMs = 3 * 24 * 60 * 60 * 1_000;

/** When the last pause that costs no attempt is over at the latest, in milliseconds since the delivery was made. */
export const freePausesEndMs = freePausesMs + retryAfterMsMax;

/** What becomes of a delivery. */
export type Verdict =
  | { state: 'succeeded' }
  /** `isGone`: the receiver wants nothing more, for ever. */
  | { state: 'failed'; isGone: boolean }
  /** It is due again after so long. `isPause`: its receiver wants its whole webhook to wait till then; that is no attempt. */
  | { state: 'pending'; delayMs: number; isPause: boolean };

/**
 * What an answer, or none, means for a delivery, of which this was the `attempt` (from 1). 2xx ends it, 410 Gone (RFC 9110)
 * ends it and its webhook, a target that we do not go to ends it as well. 429 and 503 with `Retry-After` pause its webhook, in
 * its first three days; anything else is tried again while attempts last. `random` is in [0, 1): see `retryDelayMs`.
 */
export function verdict(
  { status, error, retryAfter }: Pick<AttemptResult, 'status' | 'error' | 'retryAfter'>,
  { attempt, createdAtMs }: { attempt: number; createdAtMs: number },
  { nowMs, delaysMs, random }: { nowMs: number; delaysMs: readonly number[]; random: number },
): Verdict {
  const isBusy = status === 429 || status === 503;
  const isYoung = nowMs - createdAtMs < freePausesMs;
  const pauseMs = isBusy && isYoung ? retryAfterMs(retryAfter, nowMs) : undefined;
  if (pauseMs !== undefined) return { state: 'pending', delayMs: pauseMs, isPause: true };
  if (error === null) return { state: 'succeeded' };
  if (error === 'http_410') return { state: 'failed', isGone: true };
  if (error === 'blocked_address') return { state: 'failed', isGone: false };
  const delayMs = retryDelayMs(attempt, delaysMs, random);
  return delayMs === undefined
    ? { state: 'failed', isGone: false }
    : { state: 'pending', delayMs, isPause: false };
}

/** For how many milliseconds the whole webhook is to wait; null: it need not. */
export function pauseMsOf(verdict: Verdict): number | null {
  return verdict.state === 'pending' && verdict.isPause ? verdict.delayMs : null;
}

/** What logs and metrics call it: `succeeded`, `failed`, `retry` or `paused`. */
export function outcomeName(verdict: Verdict): string {
  if (verdict.state !== 'pending') return verdict.state;
  return verdict.isPause ? 'paused' : 'retry';
}
