import type { Attempt } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';

/** Returns the outcome of an attempt in words: what the receiver did, and what helps. */
export function useCause(attempt: Attempt): string {
  return useWords()(attempt);
}

export function useCauseOf(): (error: string) => string {
  const words = useWords();
  return (error) => {
    const [, status] = /^http_(\d{3})$/.exec(error) ?? [];
    return words({ error, status: status === undefined ? null : Number(status), retryAfterSeconds: null });
  };
}

type Outcome = Pick<Attempt, 'error' | 'status' | 'retryAfterSeconds'>;

function useWords(): (outcome: Outcome) => string {
  const { webhooks: t } = useTexts();
  return ({ error, status, retryAfterSeconds }) => {
    if (error === null) return t.accepted(status ?? 200);
    if (retryAfterSeconds !== null) return t.paused(status ?? 0, retryAfterSeconds);
    const causes: Record<string, string> = t.causes;
    const known = causes[error];
    if (known !== undefined) return known;
    if (status === null) return t.unknownCause(error);
    if (status >= 500) return t.serverFailed(status);
    if (status >= 300 && status < 400) return t.redirected(status);
    return t.rejected(status);
  };
}
