import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import { withPartitions } from '../deliveries/partitions.ts';
import type { Tables } from '../schema.ts';
import { type Outcome, recordLate, recordOutcomes } from './record-store.ts';
import type { Turns } from './turns.ts';

/** A batch that cannot be recorded is retried after this time. */
const retryMs = 500;
const batchMax = 256;
/** A few large statements cost less: after a batch of this size, the next one waits until this time has passed. */
const busyMin = 16;
const batchesApartMs = 25;

interface RecorderOptions {
  db: Kysely<Tables>;
  logger: Logger;
  replicaId: string;
  /** Nothing else changes what is in flight meanwhile. */
  inTurn: Turns;
  /** Called before a small batch is recorded, so that the statistics have its results first. May fail. */
  beforeSmall: (batch: readonly Outcome[]) => Promise<unknown>;
  /** Called with each batch that is recorded. */
  onRecorded: (batch: readonly Outcome[]) => void;
}

/**
 * Records outcomes in batches: at once, or up to 25 milliseconds later where many come. A batch that cannot be recorded
 * stays and is retried, since the receivers have it. Disposing records what is left, or loses it when that fails.
 */
export class Recorder implements AsyncDisposable {
  readonly #options: RecorderOptions;
  readonly #waiting: Outcome[] = [];
  readonly #recording: Schedule;
  #batchSize = batchMax;
  #quietUntilMs = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#recording = repeat('record deliveries', retryMs, options.logger, async () => {
      const waiting = this.#waiting.length;
      if (waiting === 0) return false;
      const leftMs = waiting < batchMax ? this.#quietUntilMs - performance.now() : 0;
      if (leftMs > 0) return leftMs;
      await this.#recordBatch();
      return this.#waiting.length > 0;
    });
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    if (this.#waiting.length === 1 || this.#waiting.length === batchMax) this.#recording.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recording[Symbol.asyncDispose]();
    try {
      while (this.#waiting.length > 0) await this.#recordBatch();
    } catch (error) {
      const deliveries = this.#waiting.length;
      this.#options.logger.warn(
        { err: error, deliveries },
        'results are lost; their deliveries will be sent again',
      );
    }
  }

  #recordBatch(): Promise<void> {
    const { db, replicaId, inTurn, beforeSmall, onRecorded } = this.#options;
    return inTurn(async () => {
      const batch = this.#waiting.slice(0, this.#batchSize);
      try {
        if (batch.length < busyMin) await beforeSmall(batch).catch(() => {});
        const lateIds = await withPartitions(db, () => recordOutcomes(db, replicaId, batch));
        await this.#recordLate(batch.filter(({ id }) => lateIds.has(id)));
      } catch (error) {
        // One that cannot be recorded must not block the others: it is found by halving, and goes to the end.
        if (batch.length === 1) this.#waiting.push(...this.#waiting.splice(0, 1));
        this.#batchSize = Math.ceil(batch.length / 2);
        throw error;
      }
      this.#batchSize = Math.min(batchMax, this.#batchSize * 2);
      this.#waiting.splice(0, batch.length);
      this.#quietUntilMs = batch.length >= busyMin ? performance.now() + batchesApartMs : 0;
      onRecorded(batch);
    });
  }

  async #recordLate(late: readonly Outcome[]): Promise<void> {
    const { db, logger } = this.#options;
    for (const { id: deliveryId } of late) {
      logger.warn({ deliveryId }, 'a result came after its delivery had ended or changed owner');
    }
    // A failure here must not record the rest of the batch again.
    await recordLate(db, late).catch((error: unknown) =>
      logger.warn({ err: error }, 'late results are not in the log'),
    );
  }
}
