import { setTimeout } from 'node:timers/promises';
import type { Hearsay } from '@parley/events/nats';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import { endPageOfRest } from '../deliveries/end-store.ts';
import { createDatabaseClock } from '../ownership/database-clock.ts';
import { startOwnership } from '../ownership/ownership.ts';
import { shardOf } from '../ownership/shard.ts';
import type { Tables } from '../schema.ts';
import { openSender, type SenderOptions } from '../sending/attempt.ts';
import { watchEgress } from '../sending/egress.ts';
import { createBoard, lastingMsMin } from './board.ts';
import { createFlights } from './flights.ts';
import type { FollowUpOptions } from './follow-up.ts';
import type { Lane } from './lane.ts';
import { type DueLane, scanLanes } from './lane-store.ts';
import { openLanes } from './lanes.ts';
import type { Outcome } from './record-store.ts';
import { startRecording } from './recorder.ts';
import { offer, type Serving, serveLanes } from './serve.ts';
import type { TryOptions } from './try-delivery.ts';
import { createTurns } from './turns.ts';

/** Due deliveries of which this replica was not notified are found within this time. */
const scanMs = 2_000;
/** A scan of very many lanes takes at most one part in so many of the time. */
const scanShare = 20;
const saveMs = 250;
const pollMs = 500;
/** How long attempts in flight may go on when the process stops. */
const drainMsMax = 3_000;
/** Sent to all replicas: ids of webhooks of which something is due, or whose lanes were changed, separated by spaces. */
const dueSubject = 'parley-webhook.due';

interface DeliverOptions extends SenderOptions, TryOptions, FollowUpOptions {
  db: Kysely<Tables>;
  broker: Hearsay;
}

/** What delivers. Disposing hands the lanes over, then waits for the attempts in flight, up to 3 seconds. */
export interface Delivering extends AsyncDisposable {
  /** To be called after a commit that made something due for these webhooks, or changed their lanes. */
  notify(webhookIds: readonly string[]): void;
}

/**
 * Delivers what is due in the lanes that this replica owns (docs/delivery.md): grants slots to lanes, reads as many due
 * deliveries, makes their attempts, and has their results recorded.
 */
export function startDelivering(options: DeliverOptions): Delivering {
  const { db, logger, broker, metrics } = options;
  const sender = openSender(options);
  const egress = watchEgress(sender, { logger, metrics, onBack: () => rounds.wake() });
  const clock = createDatabaseClock();
  const board = createBoard();
  const inTurn = createTurns();
  const onHandOver = async (shards: ReadonlySet<number>): Promise<boolean> => {
    const isTheirs = (lane: Lane) => shards.has(shardOf(lane.webhookId));
    const isHeld = await inTurn(() => flights.hold(({ lane }) => isTheirs(lane)));
    return isHeld && lanes.close(isTheirs);
  };
  const onGained = () => scanning.wake();
  const ownership = startOwnership({ db, logger, broker, clock, onGained, onHandOver });
  const { replicaId } = ownership;
  const flights = createFlights(db, replicaId);
  const lanes = openLanes({ db, clock, ownership, onClose: board.remove });
  const asked = new Set<string>();
  const attempts = new Set<Promise<void>>();
  const record = (outcome: Outcome) => recorder.add(outcome);
  const serving = { ...options, clock, ownership, egress, lanes, board, flights, asked, attempts, record };
  const rounds = repeat('deliver', pollMs, logger, () => serveLanes(serving));
  const onRecorded = (batch: readonly Outcome[]): void => {
    release(serving, batch);
    // The next delivery in order may wait for one that was in flight when its lane was handed over.
    const handedOver = new Set(
      batch.flatMap(({ webhookId }) => (ownership.of(webhookId) ? [] : [webhookId])),
    );
    if (handedOver.size > 0) broker.tell(dueSubject, [...handedOver].join(' '));
    rounds.wake();
  };
  const beforeSmall = (batch: readonly Outcome[]) => lanes.saveSome(batch.map(({ webhookId }) => webhookId));
  const recorder = startRecording({ db, logger, replicaId, inTurn, beforeSmall, onRecorded });
  const scanning = startScanning(serving, () => rounds.wake());
  const endings = repeat('end what is left', scanMs, logger, (signal) =>
    endInactive(db, lanes.inactive(), signal),
  );
  const saving = repeat('save lanes', saveMs, logger, async () => {
    const oldMs = performance.now() - lastingMsMin;
    await inTurn(() => flights.hold(({ startedAtMs }) => startedAtMs < oldMs));
    await lanes.saveAll();
  });

  const ask = (webhookIds: readonly string[]): void => {
    for (const id of webhookIds) asked.add(id);
    rounds.wake();
  };
  broker.listen(dueSubject, (text) => ask(text.split(' ')));
  const measuring = metrics.watchBacklog(() => lanes.backlog());

  return {
    notify: (webhookIds) => {
      const { mine = [], others = [] } = Object.groupBy(webhookIds, (id) =>
        ownership.of(id) ? 'mine' : 'others',
      );
      if (mine.length > 0) ask(mine);
      if (others.length > 0) broker.tell(dueSubject, others.join(' '));
    },
    [Symbol.asyncDispose]: async () => {
      measuring[Symbol.dispose]();
      await rounds[Symbol.asyncDispose]();
      await scanning[Symbol.asyncDispose]();
      await endings[Symbol.asyncDispose]();
      await ownership.leave();
      await Promise.race([Promise.all(attempts), setTimeout(drainMsMax, undefined, { ref: false })]);
      await sender[Symbol.asyncDispose]();
      await Promise.all(attempts);
      await recorder[Symbol.asyncDispose]();
      await saving[Symbol.asyncDispose]();
      await ownership[Symbol.asyncDispose]();
    },
  };
}

/** What was recorded is in flight no more. */
function release(serving: Serving, batch: readonly Outcome[]): void {
  for (const { id, dueAtMs, orderingKey } of batch) {
    const lane = serving.flights.remove(id);
    if (!lane) continue;
    lane.inFlight -= 1;
    if (dueAtMs !== null) serving.lanes.expect(lane.webhookId, dueAtMs);
    // The next one in order is due by the same transaction.
    else if (orderingKey !== null) serving.asked.add(lane.webhookId);
    offer(serving, lane);
  }
}

/** Ends a page of what is open for each webhook that is not active. True when there may be more. */
async function endInactive(
  db: Kysely<Tables>,
  webhooks: readonly DueLane[],
  signal: AbortSignal,
): Promise<boolean> {
  let isMore = false;
  for (const webhook of webhooks) {
    if (signal.aborted) break;
    isMore = (await endPageOfRest(db, webhook)) || isMore;
  }
  return isMore;
}

/** Looks for lanes with something due now and then. */
function startScanning({ db, logger, ownership, lanes }: Serving, onFound: () => void): Schedule {
  let endedAtMs = 0;
  let tookMs = 0;
  let isAsked = false;
  const scanning = repeat('find due lanes', scanMs, logger, async () => {
    const startedAtMs = performance.now();
    if (!isAsked && startedAtMs - endedAtMs < scanShare * tookMs) return;
    isAsked = false;
    const found = (await scanLanes(db)).filter(({ webhookId }) => ownership.of(webhookId));
    endedAtMs = performance.now();
    tookMs = endedAtMs - startedAtMs;
    lanes.found(found);
    onFound();
  });
  const wake = (): void => {
    isAsked = true;
    scanning.wake();
  };
  return { ...scanning, wake };
}
