import { ParleyError } from './error.ts';

/** The error of a call that had no answer. It says why, as far as the platform does. */
export function noAnswer(cause: unknown): ParleyError {
  const reason = reasonOf(cause);
  const detail = reason ? `There was no answer: ${reason}` : 'There was no answer';
  return new ParleyError({ status: undefined, type: 'no-answer', detail }, { cause });
}

// Node says "fetch failed", and what has happened in the cause of that.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { message, code } = error as Error & { code?: unknown };
  return reasonOf(error.cause) || message || (typeof code === 'string' ? code : '');
}
