import type { Logger } from '@parley/runtime/logger';
import { repeat } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { firstInflow, gatheringMs, recorded } from './inflow.ts';
import { type Outcome, type Settled, type SettledLane, settle } from './settle-store.ts';
import { attemptsAtOnce } from './slots.ts';

/** A batch that cannot be recorded is tried again after this time. */
const retryMs = 500;
const batchMax = 256;

/** Records results in batches: at once, or gathered for up to 25 milliseconds where many come. */
export interface Recorder extends AsyncDisposable {
  add(outcome: Outcome): void;
  /** How much longer to gather what began to come then, by the clock of `performance`: 0 where few results come. */
  gatheringLeftMs(sinceMs: number): number;
  /** Since when a batch is being recorded, by that clock. */
  readonly recordingSinceMs: number | undefined;
}

interface RecorderOptions {
  db: Kysely<Tables>;
  logger: Logger;
  /** Told of each batch that is recorded, and what it has made of its lanes. */
  onRecorded: (batch: readonly Outcome[], lanes: readonly SettledLane[]) => void;
}

/**
 * Starts recording. A batch that cannot be recorded stays and is tried again: the receivers have had it. Disposing records
 * what is left, and gives it up when that fails.
 */
export function startRecording({ db, logger, onRecorded }: RecorderOptions): Recorder {
  const ended: Outcome[] = [];
  let batchSize = batchMax;
  let firstEndedAtMs = 0;
  let recordingSinceMs: number | undefined;
  let inflow = firstInflow;

  const gatheringLeftMs = (sinceMs: number): number =>
    inflow.isBusy ? Math.max(0, sinceMs + gatheringMs - performance.now()) : 0;

  const recordBatch = async (): Promise<void> => {
    const batch = ended.slice(0, batchSize);
    let settled: Settled;
    recordingSinceMs = performance.now();
    try {
      settled = await settle(db, batch);
    } catch (error) {
      // One that cannot be recorded must not hold up the others: it is found by halves, and goes to the end.
      if (batch.length === 1) ended.push(...ended.splice(0, 1));
      batchSize = Math.ceil(batch.length / 2);
      throw error;
    } finally {
      recordingSinceMs = undefined;
    }
    batchSize = Math.min(batchMax, batchSize * 2);
    ended.splice(0, batch.length);
    const nowMs = performance.now();
    inflow = recorded(inflow, batch.length, nowMs);
    firstEndedAtMs = nowMs;
    for (const deliveryId of settled.lateIds) logger.warn({ deliveryId }, 'a result came after its lease');
    onRecorded(batch, settled.lanes);
  };

  const recording = repeat('record deliveries', retryMs, logger, async () => {
    if (ended.length === 0) return false;
    const leftMs = ended.length < attemptsAtOnce && gatheringLeftMs(firstEndedAtMs);
    if (leftMs) return leftMs;
    await recordBatch();
    return ended.length > 0;
  });

  return {
    add: (outcome) => {
      ended.push(outcome);
      if (ended.length === 1) firstEndedAtMs = performance.now();
      if (ended.length === 1 || ended.length >= attemptsAtOnce || !inflow.isBusy) recording.wake();
    },
    gatheringLeftMs,
    get recordingSinceMs() {
      return recordingSinceMs;
    },
    [Symbol.asyncDispose]: async () => {
      await recording[Symbol.asyncDispose]();
      try {
        while (ended.length > 0) await recordBatch();
      } catch (error) {
        logger.warn(
          { err: error, deliveries: ended.length },
          'results are lost; their deliveries will be tried again',
        );
      }
    },
  };
}
