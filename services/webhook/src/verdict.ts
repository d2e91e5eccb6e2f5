import type { AttemptResult } from './attempt.ts';
import { retryDelayMs } from './backoff.ts';

/** What an attempt makes of its delivery. `isGone`: the receiver wants nothing more, for ever. */
export type Verdict =
  | { state: 'succeeded' }
  | { state: 'failed'; isGone: boolean }
  | { state: 'pending'; delayMs: number };

/** 2xx ends a delivery, 410 Gone (RFC 9110) ends it and its webhook, anything else is tried again while attempts last. */
export function verdict(
  result: Pick<AttemptResult, 'status' | 'error'>,
  attempt: number,
  delaysMs: readonly number[],
  random: number,
): Verdict {
  if (result.error === null) return { state: 'succeeded' };
  if (result.error === 'http_410') return { state: 'failed', isGone: true };
  const delayMs = retryDelayMs(attempt, delaysMs, random);
  return delayMs === undefined ? { state: 'failed', isGone: false } : { state: 'pending', delayMs };
}
