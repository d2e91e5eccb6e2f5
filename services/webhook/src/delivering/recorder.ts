import type { Logger } from '@parley/runtime/logger';
import { repeat } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import { withPartitions } from '../deliveries/partitions.ts';
import type { Tables } from '../schema.ts';
import { type Outcome, recordLate, recordOutcomes } from './record-store.ts';
import type { Turns } from './turns.ts';

/** A batch that cannot be recorded is tried again after this time. */
const retryMs = 500;
const batchMax = 256;
/** Few large statements cost less: after a batch of so many, the next one waits until this time has passed since then. */
const busyMin = 16;
const batchesApartMs = 25;

/** Records outcomes in batches: at once, or up to 25 milliseconds later where many come. */
export interface Recorder extends AsyncDisposable {
  add(outcome: Outcome): void;
}

interface RecorderOptions {
  db: Kysely<Tables>;
  logger: Logger;
  replicaId: string;
  /** In which nothing else changes what is in flight. */
  inTurn: Turns;
  /** Called before a small batch is recorded, so that the statistics have its results first. May fail. */
  beforeSmall: (batch: readonly Outcome[]) => Promise<void>;
  /** Called with each batch that is recorded. */
  onRecorded: (batch: readonly Outcome[]) => void;
}

/**
 * Starts recording. A batch that cannot be recorded stays and is tried again: the receivers have it. Disposing records
 * what is left, and gives it up when that fails.
 */
export function startRecording({
  db,
  logger,
  replicaId,
  inTurn,
  beforeSmall,
  onRecorded,
}: RecorderOptions): Recorder {
  const waiting: Outcome[] = [];
  let batchSize = batchMax;
  let quietUntilMs = 0;

  const reportLate = async (late: readonly Outcome[]): Promise<void> => {
    for (const { id: deliveryId } of late) {
      logger.warn({ deliveryId }, 'a result came after its delivery had ended or changed owner');
    }
    // A failure here must not record the rest of the batch again.
    await recordLate(db, late).catch((error: unknown) =>
      logger.warn({ err: error }, 'late results are not in the log'),
    );
  };

  const recordBatch = (): Promise<void> => inTurn(recordNow);

  const recordNow = async (): Promise<void> => {
    const batch = waiting.slice(0, batchSize);
    try {
      if (batch.length < busyMin) await beforeSmall(batch).catch(() => {});
      const lateIds = await withPartitions(db, () => recordOutcomes(db, replicaId, batch));
      await reportLate(batch.filter(({ id }) => lateIds.has(id)));
    } catch (error) {
      // One that cannot be recorded must not hold up the others: it is found by halves, and goes to the end.
      if (batch.length === 1) waiting.push(...waiting.splice(0, 1));
      batchSize = Math.ceil(batch.length / 2);
      throw error;
    }
    batchSize = Math.min(batchMax, batchSize * 2);
    waiting.splice(0, batch.length);
    quietUntilMs = batch.length >= busyMin ? performance.now() + batchesApartMs : 0;
    onRecorded(batch);
  };

  const recording = repeat('record deliveries', retryMs, logger, async () => {
    if (waiting.length === 0) return false;
    const leftMs = waiting.length < batchMax && quietUntilMs - performance.now();
    if (leftMs && leftMs > 0) return leftMs;
    await recordBatch();
    return waiting.length > 0;
  });

  return {
    add: (outcome) => {
      waiting.push(outcome);
      if (waiting.length === 1 || waiting.length === batchMax) recording.wake();
    },
    [Symbol.asyncDispose]: async () => {
      await recording[Symbol.asyncDispose]();
      try {
        while (waiting.length > 0) await recordBatch();
      } catch (error) {
        logger.warn(
          { err: error, deliveries: waiting.length },
          'results are lost; their deliveries will be sent again',
        );
      }
    },
  };
}
