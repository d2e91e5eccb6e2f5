/** Instants within this time are remembered; scans find the rest. */
const aheadMsMax = 60_000;

/** When deliveries become due in lanes. Instants are by the database clock. */
export class Agenda {
  readonly #instants = new Map<string, number[]>();
  #nextAtMs = Number.POSITIVE_INFINITY;

  /** Adds the instant at which a delivery of the webhook becomes due, unless it is over a minute away. */
  add(webhookId: string, atMs: number, nowMs: number): void {
    if (atMs > nowMs + aheadMsMax) return;
    const instants = this.#instants.get(webhookId);
    if (instants) instants.push(atMs);
    else this.#instants.set(webhookId, [atMs]);
    this.#nextAtMs = Math.min(this.#nextAtMs, atMs);
  }

  /** Removes past instants, and returns their webhooks. */
  take(nowMs: number): string[] {
    if (nowMs < this.#nextAtMs) return [];
    this.#nextAtMs = Number.POSITIVE_INFINITY;
    const due: string[] = [];
    for (const [webhookId, instants] of this.#instants) {
      const later = instants.filter((atMs) => atMs > nowMs);
      if (later.length < instants.length) due.push(webhookId);
      if (later.length === 0) this.#instants.delete(webhookId);
      else this.#instants.set(webhookId, later);
      for (const atMs of later) this.#nextAtMs = Math.min(this.#nextAtMs, atMs);
    }
    return due;
  }

  /** Returns the earliest instant; infinity if there is none. */
  nextAtMs(): number {
    return this.#nextAtMs;
  }
}
