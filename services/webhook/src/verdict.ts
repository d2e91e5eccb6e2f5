import type { AttemptResult } from './attempt.ts';
import { retryDelayMs } from './backoff.ts';

/** What an attempt makes of its delivery. `isGone`: the receiver wants nothing more, for ever. */
export type Verdict =
  | { state: 'succeeded' }
  | { state: 'failed'; isGone: boolean }
  | { state: 'pending'; delayMs: number };

/**
 * 2xx ends a delivery, 410 Gone (RFC 9110) ends it and its webhook, a target that we do not go to ends it as well;
 * anything else is tried again while attempts last.
 */
export function verdict(
  result: Pick<AttemptResult, 'status' | 'error'>,
  attempt: number,
  delaysMs: readonly number[],
  random: number,
): Verdict {
  if (result.error === null) return { state: 'succeeded' };
  if (result.error === 'http_410') return { state: 'failed', isGone: true };
  if (result.error === 'blocked_address') return { state: 'failed', isGone: false };
  const delayMs = retryDelayMs(attempt, delaysMs, random);
  return delayMs === undefined ? { state: 'failed', isGone: false } : { state: 'pending', delayMs };
}
