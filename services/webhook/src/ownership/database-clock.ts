/** A database clock that was set back by more is followed; by less it is passed over. */
const setBackMsMax = 10 * 60_000;

/** The database's time, continued by the process's monotonic clock between two readings. */
export interface DatabaseClock {
  /** Milliseconds since 1970. Never goes back, unless the database's clock was set back by over ten minutes. */
  nowMs(): number;
  /** Takes a reading. `atMs`: when it was taken, by `performance.now()`. */
  read(databaseMs: number, atMs: number): void;
}

/**
 * Creates the clock. Deliveries become due by it, so a database clock that is set back delays none of them:
 * the clock runs ahead of the database from then on.
 */
export function createDatabaseClock(): DatabaseClock {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return {
    nowMs: () => offsetMs + performance.now(),
    read: (databaseMs, atMs) => {
      const readMs = databaseMs - atMs;
      if (readMs > offsetMs || readMs < offsetMs - setBackMsMax) offsetMs = readMs;
    },
  };
}
