/** What an endpoint has refused lately. */
export interface Refusals {
  add(what: string): void;
  has(what: string): boolean;
}

/** Remembers each for `keptMs`, and no more than `max`: the oldest goes first. */
export function rememberRefusals(keptMs: number, max: number): Refusals {
  // In the order of their ends.
  const untilMs = new Map<string, number>();
  return {
    add: (what) => {
      untilMs.delete(what);
      untilMs.set(what, Date.now() + keptMs);
      for (const oldest of untilMs.keys()) {
        if (untilMs.size <= max) break;
        untilMs.delete(oldest);
      }
    },
    has: (what) => (untilMs.get(what) ?? 0) > Date.now(),
  };
}
