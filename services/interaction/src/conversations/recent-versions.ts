export interface RecentVersions {
  add(id: string, version: number): void;
  /** Returns 0 without a recent version. */
  get(id: string): number;
}

/**
 * Keeps each version for at least `keptMs`. A later `add` drops older ones. `lru-cache` would need a timer for each, or
 * a limit that evicts earlier.
 */
export function createRecentVersions(keptMs: number): RecentVersions {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let sinceMs = Date.now();
  return {
    add: (id, version) => {
      const now = Date.now();
      if (now - sinceMs >= keptMs) {
        previous = current;
        current = new Map();
        sinceMs = now;
      }
      current.set(id, Math.max(version, current.get(id) ?? 0));
    },
    get: (id) => Math.max(current.get(id) ?? 0, previous.get(id) ?? 0),
  };
}
