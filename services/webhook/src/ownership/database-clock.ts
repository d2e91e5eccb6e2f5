/** The clock follows a database clock that was set back by more than this. */
const setBackMsMax = 10 * 60_000;

/** The database's time, continued by the monotonic clock of the process between readings. */
export interface DatabaseClock {
  /** Returns epoch milliseconds. They never decrease, unless the database's clock was set back by over ten minutes. */
  nowMs(): number;
  /** Applies a reading that was taken at `atMs`, by `performance.now()`. */
  read(databaseMs: number, atMs: number): void;
}

/**
 * Creates the clock. Deliveries become due by it. If the database's clock is set back, this clock runs ahead of it, so
 * no delivery is late.
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
