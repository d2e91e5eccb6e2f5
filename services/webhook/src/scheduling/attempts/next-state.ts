import { retryAfterMs, retryAfterMsMax } from '@parley/runtime/retry-after';
import type { AttemptResult } from '../../sending/attempt.ts';
import { retryDelayMs } from './backoff.ts';

/** In this time after the creation of a delivery, pauses use up no attempt. */
export const freePausesMs = 3 * 24 * 60 * 60 * 1_000;

/** The latest end of a pause that uses up no attempt, in milliseconds since the creation of the delivery. */
export const freePausesEndMs = freePausesMs + retryAfterMsMax;

export type NextState =
  | { state: 'succeeded' }
  /** `isGone`: the webhook is to be deactivated. */
  | { state: 'failed'; isGone: boolean }
  /** Due again after the delay. `paused`: the whole webhook waits until then, and no attempt is used up. */
  | { state: 'retry' | 'paused'; delayMs: number };

/**
 * Returns the next state of a delivery after its `attempt` (from 1). 2xx, 410 Gone (RFC 9110) and a blocked address end
 * it. 429 and 503 with `Retry-After` pause the webhook in the first three days. Anything else is retried while attempts
 * are left; after an attempt that a call has asked for, at the time that was planned before. `random` is in [0, 1): see
 * `retryDelayMs`.
 */
export function decideNextState(
  { status, error, retryAfter }: Pick<AttemptResult, 'status' | 'error' | 'retryAfter'>,
  {
    attempt,
    createdAtMs,
    plannedAtMs,
  }: {
    /** The number of the attempt, without attempts that a call has asked for. */
    attempt: number;
    createdAtMs: number;
    /** When the next planned attempt is due. Null: this was a planned one. */
    plannedAtMs: number | null;
  },
  { nowMs, delaysMs, random }: { nowMs: number; delaysMs: readonly number[]; random: number },
): NextState {
  const isBusy = status === 429 || status === 503;
  const isYoung = nowMs - createdAtMs < freePausesMs;
  const pauseMs = isBusy && isYoung ? retryAfterMs(retryAfter, nowMs) : undefined;
  if (pauseMs !== undefined) return { state: 'paused', delayMs: Math.round(pauseMs) };
  if (error === null) return { state: 'succeeded' };
  if (error === 'http_410') return { state: 'failed', isGone: true };
  if (error === 'blocked_address') return { state: 'failed', isGone: false };
  if (plannedAtMs !== null) return { state: 'retry', delayMs: Math.max(0, plannedAtMs - nowMs) };
  const delayMs = retryDelayMs(attempt, delaysMs, random);
  return delayMs === undefined ? { state: 'failed', isGone: false } : { state: 'retry', delayMs };
}

/** Returns how long the state pauses the webhook, in milliseconds; null if it does not. */
export function pauseMsOf(next: NextState): number | null {
  return next.state === 'paused' ? next.delayMs : null;
}
