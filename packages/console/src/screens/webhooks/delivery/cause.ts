import type { Attempt } from '@parley/client';
import { type Texts, useTexts } from '../../../texts/texts.tsx';

/** Returns the outcome of an attempt in words: what the receiver did, and what helps. */
export function useCause(attempt: Attempt): string {
  return causeIn(useTexts().webhooks, attempt);
}

type Outcome = Pick<Attempt, 'error' | 'status' | 'retryAfterSeconds'>;

/** Returns the outcome of which a delivery has only the error. */
export function outcomeOf(error: string): Outcome {
  const [, status] = /^http_(\d{3})$/.exec(error) ?? [];
  return { error, status: status === undefined ? null : Number(status), retryAfterSeconds: null };
}

/** Returns an outcome in the words of a language. */
export function causeIn(t: Texts['webhooks'], { error, status, retryAfterSeconds }: Outcome): string {
  if (error === null) return t.accepted(status ?? 200);
  if (retryAfterSeconds !== null) return t.paused(status ?? 0, retryAfterSeconds);
  const causes: Record<string, string> = t.causes;
  const known = causes[error];
  if (known !== undefined) return known;
  if (status === null) return t.unknownCause(error);
  if (status >= 500) return t.serverFailed(status);
  if (status >= 300 && status < 400) return t.redirected(status);
  return t.rejected(status);
}
