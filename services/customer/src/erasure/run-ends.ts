/** The ends of runs of anonymisations in this process, for the calls that wait for them. */
export interface RunEnds {
  /** Resolves at the next end or failure of a run, after `timeoutMs`, or when the signal aborts. */
  next(erasureId: string, timeoutMs: number, signal: AbortSignal): Promise<{ failure?: unknown }>;
  ended(erasureId: string, failure?: unknown): void;
}

export function createRunEnds(): RunEnds {
  const waiting = new Map<string, Set<(end: { failure?: unknown }) => void>>();
  return {
    next: (erasureId, timeoutMs, signal) =>
      new Promise((resolve) => {
        const others = waiting.get(erasureId) ?? new Set();
        waiting.set(erasureId, others);
        const settle = (end: { failure?: unknown }): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          others.delete(settle);
          if (others.size === 0 && waiting.get(erasureId) === others) waiting.delete(erasureId);
          resolve(end);
        };
        const stop = (): void => settle({});
        const timer = setTimeout(stop, timeoutMs).unref();
        others.add(settle);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      }),
    ended: (erasureId, failure) => {
      for (const settle of waiting.get(erasureId) ?? []) settle({ failure });
    },
  };
}
