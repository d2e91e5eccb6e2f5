import type { readAnswer } from './answer.ts';
import { ParleyError } from './error.ts';
import type { Operation } from './request.ts';
import { hasLostAnswer, isTemporary, waitMs } from './retry.ts';

type Read = ReturnType<typeof readAnswer>;

/**
 * Retries an operation after each temporary failure, at most `retries` times. Rejects with the last failure, or
 * with the signal's reason. A deletion that finds nothing after a lost answer counts as done.
 */
export async function callWithRetry(
  attempt: () => Promise<Read>,
  operation: Operation,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Read> {
  let mayBeDone = false;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      // An earlier attempt has deleted it; its answer was lost.
      if (error.status === 404 && operation.method === 'DELETE' && mayBeDone) return deleted(error);
      if (failures > retries || operation.isRepeatable === false || !isTemporary(error)) throw error;
      const delayMs = waitMs(failures, error.retryAfterSeconds);
      if (delayMs === undefined) throw error;
      mayBeDone ||= hasLostAnswer(error);
      await pause(delayMs, signal);
    }
  }
}

function deleted({ requestId }: ParleyError): Read {
  return { data: null, meta: null, etag: undefined, requestId, isReplayed: false };
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
