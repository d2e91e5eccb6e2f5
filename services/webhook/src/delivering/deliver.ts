import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { openSender, type SenderOptions } from '../sending/attempt.ts';
import { watchEgress } from '../sending/egress.ts';
import { answered, begun, firstPace, nextStep } from './claim-pace.ts';
import { claimDue } from './claim-store.ts';
import { type Disabled, type Failing, startFollowingUp } from './follow-up.ts';
import { hasConsequences } from './lane-health.ts';
import { giveBackLapsed } from './lapse-store.ts';
import { startRecording } from './recorder.ts';
import { createSlots } from './slots.ts';
import { type TryOptions, tryDelivery } from './try-delivery.ts';

/** What other copies have put into lanes is seen within this time. */
const pollMs = 500;
/** Rounds that were not asked for have at least so much between them, however many lanes become ready one after another. */
const timedRoundsApartMs = 10;
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
 * Delivers what is due: takes a batch under a lease, makes all its attempts at once, and has their results recorded. Where
 * these are gathered, so are free slots. While nothing goes out for a reason of ours it takes one now and then, to see. Any
 * number of workers may run. `wake` after a commit that made deliveries. Disposing takes nothing more, waits for the attempts under way, up to 3
 * seconds, and records them; what was cut off is tried again at once by others.
 */
export function startDelivering(options: DeliverOptions): Schedule {
  const { db, logger, leaseMs } = options;
  const sender = openSender(options);
  const egress = watchEgress(sender, { logger, metrics: options.metrics, onBack: () => claiming.wake() });
  const slots = createSlots();
  const underWay = new Set<Promise<void>>();
  let pace = firstPace;

  const followUps = startFollowingUp({ ...options, onFollowed: () => claiming.wake() });
  const recorder = startRecording({
    db,
    logger,
    onRecorded: (batch, lanes) => {
      for (const { delivery } of batch) slots.free(delivery.id);
      const followed = lanes.filter((lane) => hasConsequences(lane, Date.now()));
      followUps.add(followed);
      // One with consequences is taken of after them: its breaker may be about to be opened.
      const isReady = lanes.some((lane) => lane.isReady && !followed.includes(lane));
      if (pace.isShort || isReady) claiming.wake();
    },
  });

  const claiming = repeat('claim deliveries', pollMs, logger, async () => {
    const { inMs: sendableInMs, most } = egress.allowance();
    const room = slots.room(performance.now(), most);
    // What is being recorded holds lanes as well, which a claim would pass over; it wakes us when it is done, unless it is
    // held up.
    const gatheringSinceMs = Math.max(pace.begunAtMs, recorder.recordingSinceMs ?? 0);
    const gatheringLeftMs = recorder.gatheringLeftMs(gatheringSinceMs);
    const step = nextStep(pace, { sendableInMs, room, gatheringLeftMs });
    if (step.kind === 'wait') return step.ms;
    pace = begun(pace, performance.now());
    if (step.kind === 'full') return false;
    const claim = { leaseToken: randomUUID(), leaseMs, lanes: pace.lanes, ...room };
    const { deliveries, isMore, againInMs, lanesSeen, lapsed } = await claimDue(db, claim);
    const prompt = deliveries.filter((delivery) => delivery.isPrompt);
    const slow = deliveries.filter((delivery) => !delivery.isPrompt);
    const found = { taken: deliveries.length, takenSlow: slow.length, isMore, lanesSeen };
    pace = answered(pace, room, found);
    // Who is slow may have to be connected to first, which takes long.
    for (const delivery of [...prompt, ...slow]) {
      slots.take(delivery, performance.now());
      const attempting = tryDelivery(delivery, egress, options).then((outcome) => {
        underWay.delete(attempting);
        slots.end(delivery.id);
        recorder.add(outcome);
      });
      underWay.add(attempting);
    }
    if (lapsed.length > 0 && (await giveBackLapsed(db, lapsed, leaseMs)) > 0) return true;
    return isMore || (againInMs !== null && Math.max(againInMs, timedRoundsApartMs));
  });

  return {
    wake: claiming.wake,
    [Symbol.asyncDispose]: async () => {
      await claiming[Symbol.asyncDispose]();
      await Promise.race([Promise.all(underWay), setTimeout(drainMsMax, undefined, { ref: false })]);
      await sender[Symbol.asyncDispose]();
      await Promise.all(underWay);
      await recorder[Symbol.asyncDispose]();
      await followUps[Symbol.asyncDispose]();
    },
  };
}
