/** Instants within this time are remembered; scans find the rest. */
const aheadMsMax = 60_000;
/** Instants of the same ten milliseconds are one, so that their number is limited. */
const stepMs = 10;

/** When deliveries become due in lanes, up to ten milliseconds late. Instants are by the database clock. */
export class Agenda {
  readonly #webhooks = new Map<number, Set<string>>();
  #nextAtMs = Number.POSITIVE_INFINITY;

  /** Adds the instant at which a delivery of the webhook becomes due, unless it is over a minute away. */
  add(webhookId: string, atMs: number, nowMs: number): void {
    if (atMs > nowMs + aheadMsMax) return;
    const instant = Math.ceil(atMs / stepMs) * stepMs;
    const webhooks = this.#webhooks.get(instant);
    if (webhooks) webhooks.add(webhookId);
    else this.#webhooks.set(instant, new Set([webhookId]));
    this.#nextAtMs = Math.min(this.#nextAtMs, instant);
  }

  /** Removes past instants, and returns their webhooks, some repeatedly. */
  take(nowMs: number): string[] {
    if (nowMs < this.#nextAtMs) return [];
    this.#nextAtMs = Number.POSITIVE_INFINITY;
    const due: string[] = [];
    for (const [instant, webhooks] of this.#webhooks) {
      if (instant > nowMs) this.#nextAtMs = Math.min(this.#nextAtMs, instant);
      else {
        for (const webhookId of webhooks) due.push(webhookId);
        this.#webhooks.delete(instant);
      }
    }
    return due;
  }

  /** Returns the earliest instant; infinity if there is none. */
  nextAtMs(): number {
    return this.#nextAtMs;
  }
}
