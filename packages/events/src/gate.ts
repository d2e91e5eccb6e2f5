/** A latch: opens once and releases all waiting callers. */
export interface Gate {
  open(): void;
  /**
   * Resolves when the gate opens or after `timeoutMs`. Rejects with the reason of an aborted `signal`. Releases all
   * handlers of the caller at the end, unlike a race with a pending promise.
   */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void>;
}

export function createGate(): Gate {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    open: () => {
      isOpen = true;
      for (const release of waiting) release();
    },
    wait: async (timeoutMs, signal) => {
      if (isOpen) return;
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      const timer = setTimeout(resolve, timeoutMs).unref();
      signal?.addEventListener('abort', abort);
      waiting.add(resolve);
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.delete(resolve);
      }
    },
  };
}
