import { repeat, type Schedule } from '@parley/runtime/schedule';
import { endPageOfRest } from '../deliveries/end-store.ts';
import { type Backlog, backlogOf, type DueLane } from '../rules/backlog.ts';
import { scanLanes } from './lane-store.ts';
import type { Serving } from './serve.ts';

/** Due deliveries without a notification are found within this time. */
const scanMs = 2_000;
/** The share of time that scans take at most. */
const scanShare = 1 / 20;

interface ScannerOptions extends Pick<Serving, 'db' | 'logger' | 'clock' | 'ownership' | 'lanes' | 'agenda'> {
  /** Called after each scan. */
  onFound: () => void;
}

/** Scans for lanes with open deliveries, and ends deliveries of inactive webhooks. */
export class Scanner implements AsyncDisposable {
  readonly #options: ScannerOptions;
  readonly #scanning: Schedule;
  readonly #ending: Schedule;
  #found: readonly DueLane[] = [];
  #notBeforeMs = 0;

  constructor(options: ScannerOptions) {
    this.#options = options;
    const { db, logger } = options;
    this.#scanning = repeat('find due lanes', scanMs, logger, () => this.#scan());
    this.#ending = repeat('end deliveries of inactive webhooks', scanMs, logger, async (signal) => {
      let isMore = false;
      for (const webhook of this.#found.filter(({ isActive }) => !isActive)) {
        if (signal.aborted) break;
        isMore = (await endPageOfRest(db, webhook)) || isMore;
      }
      return isMore;
    });
  }

  /** Scans at once. */
  wake(): void {
    this.#notBeforeMs = 0;
    this.#scanning.wake();
  }

  backlog(): Backlog {
    const { clock, lanes } = this.#options;
    return backlogOf(this.#found, (webhookId) => lanes.peek(webhookId), clock.nowMs());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scanning[Symbol.asyncDispose]();
    await this.#ending[Symbol.asyncDispose]();
  }

  async #scan(): Promise<void> {
    const { db, clock, ownership, lanes, agenda, onFound } = this.#options;
    const startedMs = performance.now();
    if (startedMs < this.#notBeforeMs) return;
    this.#found = (await scanLanes(db)).filter(({ webhookId }) => ownership.of(webhookId));
    const endedMs = performance.now();
    this.#notBeforeMs = endedMs + (endedMs - startedMs) / scanShare;
    for (const { webhookId, dueAtMs, revision, isActive } of this.#found) {
      const lane = lanes.peek(webhookId);
      if (lane && lane.revision !== revision) lane.isStale = true;
      if (isActive) agenda.add(webhookId, dueAtMs, clock.nowMs());
    }
    onFound();
  }
}
