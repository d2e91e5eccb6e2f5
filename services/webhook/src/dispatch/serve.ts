import type { Broadcast } from '@parley/events/nats';
import type { DatabaseClock } from '../ownership/database-clock.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { Agenda } from '../scheduling/agenda.ts';
import type { Board, Flight } from '../scheduling/board.ts';
import { capacity, type Lane, settle, startAttempt, startableAtMs } from '../scheduling/lane.ts';
import { type Due, parkBlocked, readDue } from './due-store.ts';
import type { Flights } from './flights.ts';
import { type FollowUpOptions, followUp } from './follow-up.ts';
import type { Lanes } from './lanes.ts';
import type { Outcome } from './record-store.ts';
import { type TryOptions, tryDelivery } from './try-delivery.ts';

/** Delay before deliveries are parked whose lane was locked. */
const lockedLaneMs = 50;
const admittedMax = 1_000;

export interface DelivererContext extends TryOptions, FollowUpOptions {
  broker: Broadcast;
  clock: DatabaseClock;
  agenda: Agenda;
  ownership: Ownership;
  lanes: Lanes;
  board: Board;
  flights: Flights;
  /** Webhooks that the next call serves too, by id. */
  notified: Set<string>;
  record: (outcome: Outcome) => void;
}

/** Starts due deliveries. Returns true if there may be more, else the milliseconds until the next one is due. */
export async function serveLanes(context: DelivererContext): Promise<true | number> {
  const { db, clock, agenda, egress, board, flights } = context;
  const { inMs, most } = egress.allowance();
  if (inMs > 0) return inMs;
  await admit(context);
  const nowMs = clock.nowMs();
  const grants = board.grant(flights.values(), { nowMs, monotonicMs: performance.now(), most });
  if (grants.length === 0) return context.notified.size > 0 || agenda.nextAtMs() - nowMs;
  const wanted = grants.map(({ lane, number }) => ({ webhookId: lane.webhookId, number }));
  const lanes = new Set(grants.map(({ lane }) => lane));
  const inFlight = Array.from(flights).flatMap(([id, { lane }]) => (lanes.has(lane) ? [id] : []));
  const dues = Map.groupBy(await readDue(db, wanted, { nowMs, inFlight }), ({ webhookId }) => webhookId);
  const blocked = grants.filter(({ lane, number }) =>
    startLane(context, lane, dues.get(lane.webhookId) ?? [], number),
  );
  // Parked last, so that attempts start without delay.
  for (const { lane } of blocked) await park(context, lane);
  return true;
}

/** Adds a lane with due deliveries to the board, now or after its pause. */
function offer({ clock, agenda, ownership, board }: DelivererContext, lane: Lane): void {
  if (!lane.hasDue || lane.isStale || !ownership.of(lane.webhookId)) return board.remove(lane);
  const atMs = startableAtMs(lane);
  if (atMs > clock.nowMs()) agenda.add(lane.webhookId, atMs, clock.nowMs());
  else board.add(lane);
}

async function admit(context: DelivererContext): Promise<void> {
  const { notified, agenda, lanes, clock, ownership } = context;
  for (const id of agenda.take(clock.nowMs())) notified.add(id);
  const ids = [...notified].slice(0, admittedMax);
  const admitted = await lanes.get(ids.filter((id) => ownership.of(id)));
  for (const id of ids) notified.delete(id);
  for (const lane of admitted) {
    lane.hasDue = true;
    offer(context, lane);
  }
}

/**
 * Starts the due deliveries of a lane that were read. `wanted`: how many were asked for. Returns true if some are to be
 * parked, before the lane is offered again.
 */
function startLane(context: DelivererContext, lane: Lane, dues: readonly Due[], wanted: number): boolean {
  const { notified, clock, ownership, flights } = context;
  lane.hasDue = dues.length >= wanted;
  const isOwn = ownership.of(lane.webhookId)?.epoch === lane.epoch;
  lane.isStale ||= !isOwn || dues.some(({ revision }) => revision !== lane.revision);
  if (lane.isStale) {
    notified.add(lane.webhookId);
    return false;
  }
  for (const due of dues) {
    // A result since the grant may have paused the lane or lowered its limit.
    if (capacity(lane, clock.nowMs()) === 0) {
      lane.hasDue = true;
      break;
    }
    if (due.isBlocked || flights.has(due.id)) continue;
    startAttempt(lane, clock.nowMs());
    const flight = { lane, startedAtMs: performance.now(), isOver: false, isClaimed: false };
    flights.set(due.id, Object.assign(flight, { attempt: attempt(context, flight, due) }));
  }
  if (dues.some(({ isBlocked }) => isBlocked)) return true;
  offer(context, lane);
  return false;
}

/** Parks the due deliveries of a lane that wait for earlier ones, now or when its row is no longer locked. */
async function park(context: DelivererContext, lane: Lane): Promise<void> {
  const { db, clock, agenda } = context;
  const nowMs = clock.nowMs();
  lane.hasDue = await parkBlocked(db, lane, nowMs);
  if (!lane.hasDue) agenda.add(lane.webhookId, nowMs + lockedLaneMs, nowMs);
  offer(context, lane);
}

/** Makes an attempt, applies its result to the lane, and records it. */
async function attempt(context: DelivererContext, flight: Flight, due: Due): Promise<void> {
  const { clock, ownership, lanes, record } = context;
  const { lane } = flight;
  const { webhookId, workspaceId, epoch } = lane;
  const isProbe = lane.openings > 0;
  const isOwn = () => ownership.of(webhookId)?.epoch === epoch;
  // A delivery that was not sent before the lane changed owner is left to the new owner.
  const sendBefore = () => (isOwn() ? ownership.leaseEndMs() : Number.NEGATIVE_INFINITY);
  const { next, result, isManual } = await tryDelivery(
    due,
    lane,
    { nowMs: clock.nowMs, sendBefore },
    context,
  );
  const nowMs = clock.nowMs();
  flight.isOver = true;
  if (result && isOwn()) {
    const moved = settle(lane, result, { next, isProbe, nowMs });
    void followUp(lane, { moved, nowMs, save: () => lanes.save([lane]) }, context);
  }
  const delayedUntilMs = 'delayMs' in next ? nowMs + next.delayMs : null;
  // After an attempt that a call has asked for, to the millisecond what was planned.
  const isBackInPlan = isManual && next.state === 'retry';
  const dueAtMs = isBackInPlan ? due.plannedAtMs : delayedUntilMs;
  const { id, orderingKey, attempt: number } = due;
  record({
    id,
    webhookId,
    workspaceId,
    orderingKey,
    epoch,
    attempt: number,
    next,
    result,
    isManual,
    dueAtMs,
  });
}

/** Removes recorded deliveries from `flights`, and offers their lanes again. */
export function release(context: DelivererContext, batch: readonly Outcome[]): void {
  const { agenda, notified, clock, flights } = context;
  for (const { id, dueAtMs, orderingKey } of batch) {
    const lane = flights.get(id)?.lane;
    flights.delete(id);
    if (!lane) continue;
    lane.inFlight -= 1;
    if (dueAtMs !== null) agenda.add(lane.webhookId, dueAtMs, clock.nowMs());
    // The same transaction made the next delivery in order due.
    else if (orderingKey !== null) notified.add(lane.webhookId);
    // A save has found that its row has changed.
    if (lane.isStale) notified.add(lane.webhookId);
    else offer(context, lane);
  }
}
