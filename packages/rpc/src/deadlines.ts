/** What is given up at some time. */
export interface Expiring {
  /** A reading of `performance.now()`. */
  expiresAtMs: number;
}

/** Things that have a deadline each. */
export interface Deadlines<T> extends Disposable {
  add(item: T): void;
  delete(item: T): void;
}

// Deadlines that are closer together share a look at all items.
const stepMs = 10;

// Node runs what is to run later than that at once. Waking up too early is only another look.
const timerMsMax = 2 ** 31 - 1;

/**
 * Runs `expire` on what is still there at its deadline, which may be ten milliseconds late. There is one timer, for the nearest
 * deadline: most items are gone before theirs, so they cost an entry in a set and no timer.
 */
export function startDeadlines<T extends Expiring>(expire: (item: T) => void): Deadlines<T> {
  const items = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  let wakesAtMs = Number.POSITIVE_INFINITY;

  const wakeAt = (atMs: number): void => {
    if (atMs >= wakesAtMs) return;
    wakesAtMs = Math.ceil(atMs / stepMs) * stepMs;
    clearTimeout(timer);
    const inMs = Math.max(0, wakesAtMs - performance.now());
    timer = setTimeout(wake, Math.min(inMs, timerMsMax)).unref();
  };
  const wake = (): void => {
    wakesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const item of items) {
      if (item.expiresAtMs > nowMs) {
        nextMs = Math.min(nextMs, item.expiresAtMs);
      } else {
        items.delete(item);
        expire(item);
      }
    }
    wakeAt(nextMs);
  };

  return {
    add: (item) => {
      items.add(item);
      wakeAt(item.expiresAtMs);
    },
    delete: (item) => {
      items.delete(item);
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      items.clear();
    },
  };
}
