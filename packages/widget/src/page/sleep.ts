/** Pauses that can be ended early. */
export interface Sleeper {
  /** Resolves after `ms`, at `wake` unless `firm`, or when the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal, firm?: 'firm'): Promise<void>;
  /** Ends every sleep that is not firm. */
  wake(): void;
}

export function createSleeper(): Sleeper {
  const wakings = new Set<() => void>();
  return {
    sleep: (ms, signal, firm) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          wakings.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end);
        if (!firm) wakings.add(end);
        if (signal.aborted) end();
      }),
    wake: () => {
      for (const end of wakings) end();
    },
  };
}
