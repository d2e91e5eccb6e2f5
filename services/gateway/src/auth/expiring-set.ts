/** A set of texts in bounded memory. */
export interface ExpiringSet {
  has(text: string): boolean;
  /** Adds a text, or makes it the newest. */
  add(text: string): void;
  delete(text: string): void;
}

/** Returns an empty set. A text stays for `lifetimeMs`, but only the newest `entriesMax` texts do. */
export function createExpiringSet(lifetimeMs: number, entriesMax: number, now: () => number): ExpiringSet {
  // In the order of their expiry.
  const endsAt = new Map<string, number>();
  return {
    has: (text) => now() < (endsAt.get(text) ?? 0),
    add: (text) => {
      endsAt.delete(text);
      endsAt.set(text, now() + lifetimeMs);
      for (const [oldest] of endsAt) {
        if (endsAt.size <= entriesMax) break;
        endsAt.delete(oldest);
      }
    },
    delete: (text) => void endsAt.delete(text),
  };
}
