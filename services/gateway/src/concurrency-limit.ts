/** Runs work under a key, immediately or when earlier work under this key ends. */
export type ConcurrencyLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the work under one key to `max` pieces at once. Further work waits in order. Keys do not affect each other.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const byKey = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (key, work) => {
    const load = byKey.get(key) ?? { running: 0, waiting: [] };
    byKey.set(key, load);
    if (load.running < max) load.running += 1;
    else await new Promise<void>((resolve) => load.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = load.waiting.shift();
      if (next) next();
      else load.running -= 1;
      if (load.running === 0) byKey.delete(key);
    }
  };
}
