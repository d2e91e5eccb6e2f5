import type { Attempt } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';

/** Returns the outcome of an attempt in words: what the receiver did, and what helps. */
export function useCause({ error, status, retryAfterSeconds }: Attempt): string {
  const { webhooks: t } = useTexts();
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
