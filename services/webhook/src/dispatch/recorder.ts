import { repeat } from '@parley/runtime/scheduling/schedule';
import { withPartitions } from '@parley/postgres/schema/partitions';
import { partitioned } from '../deliveries/partitions.ts';
import { saveMs } from './lanes.ts';
import type { Mutex } from './mutex.ts';
import { type Outcome, recordLate, recordOutcomes } from './record-store.ts';
import type { DelivererContext } from './serve.ts';

/** Delay before a batch that could not be recorded is retried. */
const retryMs = 500;
const batchMax = 256;
/** After a batch of this size, the next one waits: a few large statements cost less than many small ones. */
const busyMin = 16;
const batchesApartMs = 25;

interface RecorderOptions extends Pick<DelivererContext, 'db' | 'logger' | 'lanes' | 'ownership'> {
  runExclusive: Mutex;
  onRecorded: (batch: readonly Outcome[]) => void;
}

/**
 * Records outcomes in batches: at once, or up to 25 milliseconds later under load. Retries a batch that cannot be
 * recorded. Disposing records the rest, and loses it if that fails.
 */
export function startRecorder(options: RecorderOptions) {
  const { logger, runExclusive, onRecorded } = options;
  const waiting: Outcome[] = [];
  let batchSize = batchMax;
  let quietUntilMs = 0;
  const recordBatch = async (): Promise<void> => {
    const batch = waiting.slice(0, batchSize);
    try {
      await record(batch, options);
    } catch (error) {
      // Halving the batch isolates an outcome that cannot be recorded. It goes to the end.
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
    const leftMs = waiting.length < batchMax ? quietUntilMs - performance.now() : 0;
    if (leftMs > 0) return leftMs;
    await runExclusive(recordBatch);
    return waiting.length > 0;
  });
  return {
    add: (outcome: Outcome): void => {
      waiting.push(outcome);
      if (waiting.length === 1 || waiting.length === batchMax) recording.wake();
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await recording[Symbol.asyncDispose]();
      try {
        while (waiting.length > 0) await runExclusive(recordBatch);
      } catch (error) {
        const deliveries = waiting.length;
        logger.warn({ err: error, deliveries }, 'results are lost; their deliveries will be redelivered');
      }
    },
  };
}

async function record(batch: readonly Outcome[], options: RecorderOptions): Promise<void> {
  const { db, logger, lanes, ownership } = options;
  // The statistics of a quiet webhook have a result when its delivery ends. They may be late.
  const quietSinceMs = performance.now() - saveMs;
  const found = batch.length < busyMin ? batch.flatMap(({ webhookId }) => lanes.peek(webhookId) ?? []) : [];
  const quiet = found.filter(({ savedAtMs }) => savedAtMs < quietSinceMs);
  const saving = lanes.save(new Set(quiet)).catch(() => {});
  const lateIds = await withPartitions(db, partitioned, () => recordOutcomes(db, ownership.replicaId, batch));
  await saving;
  const late = batch.filter(({ id }) => lateIds.has(id));
  for (const { id: deliveryId } of late) {
    logger.warn({ deliveryId }, 'a result came after its delivery had ended or changed owner');
  }
  // The batch is recorded: a failure here must not retry it.
  await recordLate(db, late).catch((error: unknown) =>
    logger.warn({ err: error }, 'late results could not be recorded'),
  );
}
