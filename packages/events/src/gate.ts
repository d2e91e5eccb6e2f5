/** Opens once, for all who wait at it. */
export interface Gate {
  open(): void;
  /**
   * Resolves when it is open, and after `timeoutMs` all the same; rejects with the reason of an aborted `signal`. Nothing
   * of the caller stays, whatever ends its wait: a promise that is pending would keep a handler of each.
   */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<void>;
}

/** Makes a gate that is closed. */
export function createGate(): Gate {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    open: () => {
      isOpen = true;
      for (const goOn of waiting) goOn();
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
