/** The keys that an endpoint refused recently. */
export interface Refusals {
  add(key: string): void;
  has(key: string): boolean;
}

/** Keeps each key for `keptMs`, and at most `max`: evicts the oldest. */
export function createRefusalCache(keptMs: number, max: number): Refusals {
  // In the order of expiry.
  const untilMs = new Map<string, number>();
  return {
    add: (key) => {
      untilMs.delete(key);
      untilMs.set(key, Date.now() + keptMs);
      for (const oldest of untilMs.keys()) {
        if (untilMs.size <= max) break;
        untilMs.delete(oldest);
      }
    },
    has: (key) => (untilMs.get(key) ?? 0) > Date.now(),
  };
}
