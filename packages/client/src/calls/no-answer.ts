import { ParleyError } from '../error.ts';

/** Returns the error of a call without an answer, with the reason that the platform gives. */
export function noAnswer(cause: unknown): ParleyError {
  const reason = reasonOf(cause);
  const detail = reason ? `There was no answer: ${reason}` : 'There was no answer';
  return new ParleyError({ status: undefined, type: 'no-answer', detail }, { cause });
}

// Node's message is "fetch failed"; the reason is in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { message, code } = error as Error & { code?: unknown };
  return reasonOf(error.cause) || message || (typeof code === 'string' ? code : '');
}
