import type { readAnswer } from './answer.ts';
import { ParleyError } from '../error.ts';
import { pause } from './pause.ts';
import type { Operation } from './request.ts';
import { hasLostAnswer, isConflict, isTemporary, waitMs } from './retry.ts';

type Read = ReturnType<typeof readAnswer>;

/**
 * Retries an operation after each temporary failure, at most `retries` times. Rejects with the last failure, or
 * with the signal's reason. An operation that is not repeatable is retried only if it had no effect.
 *
 * After a lost answer, a repeated change can fail because of its own first attempt. A deletion that then finds nothing
 * counts as done: the caller's intention is met. A customer's deletion may still run then: see its erasure.
 * A PATCH that then meets a conflict rejects with the failure of the lost answer.
 */
export async function callWithRetry(
  attempt: () => Promise<Read>,
  operation: Operation,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Read> {
  let lost: ParleyError | undefined;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      if (lost && operation.method === 'DELETE' && error.status === 404) return deleted(error);
      if (lost && operation.method === 'PATCH' && isConflict(error)) throw lost;
      const isLost = hasLostAnswer(error);
      const mayRepeat = operation.isRepeatable !== false || !isLost;
      if (failures > retries || !mayRepeat || !isTemporary(error)) throw error;
      const delayMs = waitMs(failures, error.retryAfterSeconds);
      if (delayMs === undefined) throw error;
      if (isLost) lost ??= error;
      await pause(delayMs, signal);
    }
  }
}

function deleted({ requestId }: ParleyError): Read {
  return { data: null, meta: null, etag: undefined, requestId, isReplayed: false };
}
