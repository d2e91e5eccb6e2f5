import { repeat, type Schedule } from '@parley/runtime/schedule';
import { withPartitions } from '../deliveries/partitions.ts';
import { type Outcome, recordLate, recordOutcomes } from './record-store.ts';
import type { Mutex } from './mutex.ts';
import type { Serving } from './serve.ts';

/** Delay before a batch that could not be recorded is retried. */
const retryMs = 500;
const batchMax = 256;
/** After a batch of this size, the next one waits: a few large statements cost less than many small ones. */
const busyMin = 16;
const batchesApartMs = 25;

interface RecorderOptions extends Pick<Serving, 'db' | 'logger' | 'lanes' | 'ownership'> {
  runExclusive: Mutex;
  /** Called with each batch that is recorded. */
  onRecorded: (batch: readonly Outcome[]) => void;
}

/**
 * Records outcomes in batches: at once, or up to 25 milliseconds later under load. Retries a batch that cannot be
 * recorded. Disposing records the rest, and loses it if that fails.
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
    const { db, ownership, lanes, runExclusive, onRecorded } = this.#options;
    return runExclusive(async () => {
      const batch = this.#waiting.slice(0, this.#batchSize);
      try {
        // The statistics of a quiet webhook have a result when its delivery ends. They may be late.
        const quiet =
          batch.length < busyMin ? batch.flatMap(({ webhookId }) => lanes.peek(webhookId) ?? []) : [];
        const saving = lanes.save(new Set(quiet)).catch(() => {});
        const lateIds = await withPartitions(db, () => recordOutcomes(db, ownership.replicaId, batch));
        await saving;
        await this.#recordLate(batch.filter(({ id }) => lateIds.has(id)));
      } catch (error) {
        // Halving the batch isolates an outcome that cannot be recorded. It goes to the end.
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
    // The batch is recorded: a failure here must not retry it.
    await recordLate(db, late).catch((error: unknown) =>
      logger.warn({ err: error }, 'late results are not in the log'),
    );
  }
}
