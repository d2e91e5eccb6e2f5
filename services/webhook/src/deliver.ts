import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import { openSender, type SenderOptions } from './attempt.ts';
import { lanesMax, nextLanes } from './claim-lanes.ts';
import { claimDue } from './claim-store.ts';
import { watchEgress } from './egress.ts';
import { type Disabled, type Failing, followUp } from './follow-up.ts';
import { giveBackLapsed } from './lapse-store.ts';
import type { Tables } from './schema.ts';
import { type Outcome, type Settled, type SettledLane, settle } from './settle-store.ts';
import { attemptsAtOnce, createSlots } from './slots.ts';
import { type TryOptions, tryDelivery } from './try-delivery.ts';

/** What other copies have put into lanes is seen within this time. */
const pollMs = 500;
/** Rounds that were not asked for have at least so much between them, however many lanes become ready one after another. */
const timedRoundsApartMs = 10;
/**
 * Of statements, few large ones cost less: where so many results come within such a time, they are gathered, and slots
 * too, until they are as many as a claim takes.
 */
const gatheringMs = 25;
const busyMin = 32;
const batchMax = 256;
/** How long attempts under way may go on when the process stops. */
const drainMsMax = 3_000;

interface DeliverOptions extends SenderOptions, TryOptions {
  db: Kysely<Tables>;
  leaseMs: number;
  /** Told once for each webhook that is deactivated because it failed for days. */
  onDisabled: (disabled: Disabled) => void;
  /** Told before that, when half, 70 and 90 % of the days are over. */
  onFailing: (failing: Failing) => void;
}

/**
 * Delivers what is due: takes a batch under a lease, makes all its attempts at once, and records what has ended in
 * batches. While nothing goes out for a reason of ours it takes one now and then, to see. Any number of workers may run.
 * `wake` after a commit that made deliveries. Disposing takes nothing more, waits for the attempts under way, up to 3
 * seconds, and records them; what was cut off is tried again at once by others.
 */
export function startDelivering(options: DeliverOptions): Schedule {
  const { db, logger, leaseMs } = options;
  const sender = openSender(options);
  const egress = watchEgress(sender, { logger, metrics: options.metrics, onBack: () => claiming.wake() });
  const slots = createSlots();
  const underWay = new Set<Promise<void>>();
  const ended: Outcome[] = [];
  let batchSize = batchMax;
  let firstEndedAtMs = 0;
  let recordedAtMs = 0;
  let isBusy = false;
  let recordingSinceMs: number | undefined;
  let claimedAtMs = 0;
  let lanes = lanesMax;
  /** There may be something due for which there was no slot. */
  let isShort = false;

  /** How much longer to gather what began to come then. */
  const gatheringLeftMs = (sinceMs: number): number =>
    isBusy ? Math.max(0, sinceMs + gatheringMs - performance.now()) : 0;

  const claiming = repeat('claim deliveries', pollMs, logger, async () => {
    const probeInMs = egress.probeInMs();
    if (probeInMs) return probeInMs;
    const room = slots.room(performance.now(), probeInMs === 0 ? 1 : undefined);
    const unreserved = room.slots - room.reserved;
    if (isShort && unreserved < attemptsAtOnce) {
      // Until more slots are free. What is being recorded holds lanes as well, which this claim would pass over; it wakes us
      // when it is done, unless it is held up.
      const leftMs = gatheringLeftMs(Math.max(claimedAtMs, recordingSinceMs ?? 0));
      if (leftMs) return leftMs;
    }
    claimedAtMs = performance.now();
    isShort = true;
    if (room.slots === 0) return false;
    const claim = { leaseToken: randomUUID(), leaseMs, lanes, ...room };
    const { deliveries, isMore, againInMs, lanesSeen, lapsed } = await claimDue(db, claim);
    // What is reserved, others than those with few cannot fill; and what hangs is seen beside the others.
    const found = { slots: Math.max(1, unreserved), ready: Math.max(0, lanesSeen - room.hanging.length) };
    lanes = nextLanes(lanes, { ...found, taken: deliveries.length, isMore });
    const prompt = deliveries.filter((delivery) => delivery.isPrompt);
    const slow = deliveries.filter((delivery) => !delivery.isPrompt);
    isShort = deliveries.length >= unreserved || slow.length >= room.slowSlots;
    // Who is slow may have to be connected to first, which takes long.
    for (const delivery of [...prompt, ...slow]) {
      slots.take(delivery, performance.now());
      const attempting = tryDelivery(delivery, egress, options).then((outcome) => {
        underWay.delete(attempting);
        slots.end(delivery.id);
        ended.push(outcome);
        if (ended.length === 1) firstEndedAtMs = performance.now();
        if (ended.length === 1 || ended.length >= attemptsAtOnce || !isBusy) recording.wake();
      });
      underWay.add(attempting);
    }
    if (lapsed.length > 0 && (await giveBackLapsed(db, lapsed, leaseMs)) > 0) return true;
    return isMore || (againInMs !== null && Math.max(againInMs, timedRoundsApartMs));
  });

  const recordBatch = async (): Promise<SettledLane[]> => {
    const batch = ended.slice(0, batchSize);
    let settled: Settled;
    recordingSinceMs = performance.now();
    try {
      settled = await settle(db, batch);
    } catch (error) {
      // One that cannot be recorded must not hold up the others: it is found by halves, and goes to the end.
      if (batchSize === 1) ended.push(...ended.splice(0, 1));
      batchSize = Math.ceil(batchSize / 2);
      throw error;
    } finally {
      recordingSinceMs = undefined;
    }
    const { lateIds, lanes } = settled;
    batchSize = Math.min(batchMax, batchSize * 2);
    ended.splice(0, batch.length);
    const nowMs = performance.now();
    isBusy = (batch.length * gatheringMs) / (nowMs - recordedAtMs) >= busyMin;
    recordedAtMs = nowMs;
    firstEndedAtMs = nowMs;
    for (const { delivery } of batch) slots.free(delivery.id);
    for (const deliveryId of lateIds) logger.warn({ deliveryId }, 'a result came after its lease');
    return lanes;
  };

  // A batch that cannot be recorded stays and is tried again: the receiver has had it.
  const recording = repeat('record deliveries', pollMs, logger, async () => {
    if (ended.length === 0) return false;
    const leftMs = ended.length < attemptsAtOnce && gatheringLeftMs(firstEndedAtMs);
    if (leftMs) return leftMs;
    const lanes = await recordBatch();
    await followUp(lanes, options);
    if (isShort || lanes.some((lane) => lane.isReady)) claiming.wake();
    return ended.length > 0;
  });

  return {
    wake: claiming.wake,
    [Symbol.asyncDispose]: async () => {
      await claiming[Symbol.asyncDispose]();
      await Promise.race([Promise.all(underWay), setTimeout(drainMsMax, undefined, { ref: false })]);
      await sender[Symbol.asyncDispose]();
      await Promise.all(underWay);
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
