/** The versions that rows were heard to have, for a while. */
export interface RecentVersions {
  add(id: string, version: number): void;
  /** 0 for a row that was not heard of lately. */
  get(id: string): number;
}

/** Remembers each for at least `keptMs`, and not for long after, without a timer. */
export function rememberVersions(keptMs: number): RecentVersions {
  let current = new Map<string, number>();
  let former = new Map<string, number>();
  let sinceMs = Date.now();
  return {
    add: (id, version) => {
      const now = Date.now();
      if (now - sinceMs >= keptMs) {
        former = current;
        current = new Map();
        sinceMs = now;
      }
      current.set(id, Math.max(version, current.get(id) ?? 0));
    },
    get: (id) => Math.max(current.get(id) ?? 0, former.get(id) ?? 0),
  };
}
