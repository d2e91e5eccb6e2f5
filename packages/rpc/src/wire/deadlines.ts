export interface Expiring {
  /** A reading of `performance.now()`. */
  expiresAtMs: number;
}

// Deadlines within one step share a scan of all items.
const stepMs = 10;

// Node fires longer timers at once. An early wake-up costs only a scan.
const timerMsMax = 2 ** 31 - 1;

/**
 * A set of items with deadlines. Calls `expire` for each item that is still in the set at its deadline, up to ten
 * milliseconds late. One timer waits for the nearest deadline. Most items leave before theirs, so each costs an entry
 * in a set and no timer.
 */
export class Deadlines<T extends Expiring> implements Disposable {
  readonly #expire: (item: T) => void;
  readonly #items = new Set<T>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(expire: (item: T) => void) {
    this.#expire = expire;
  }

  add(item: T): void {
    this.#items.add(item);
    this.#wakeAt(item.expiresAtMs);
  }

  delete(item: T): void {
    this.#items.delete(item);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#items.clear();
  }

  #wakeAt(atMs: number): void {
    if (atMs >= this.#wakesAtMs) return;
    this.#wakesAtMs = Math.ceil(atMs / stepMs) * stepMs;
    clearTimeout(this.#timer);
    const inMs = Math.max(0, this.#wakesAtMs - performance.now());
    this.#timer = setTimeout(() => this.#wake(), Math.min(inMs, timerMsMax)).unref();
  }

  #wake(): void {
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const item of this.#items) {
      if (item.expiresAtMs > nowMs) {
        nextMs = Math.min(nextMs, item.expiresAtMs);
      } else {
        this.#items.delete(item);
        this.#expire(item);
      }
    }
    this.#wakeAt(nextMs);
  }
}
