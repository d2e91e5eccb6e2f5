import type { DatabaseClock } from '../ownership/database-clock.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { Agenda } from '../rules/agenda.ts';
import type { Board, Flight } from '../rules/board.ts';
import { type Due, parkBlocked, readDue } from './due-store.ts';
import type { Flights } from './flights.ts';
import { type FollowUpOptions, followUp } from './follow-up.ts';
import { capacity, type Lane, settle, start, startableAtMs } from '../rules/lane.ts';
import type { Lanes } from './lanes.ts';
import type { Outcome } from './record-store.ts';
import { type TryOptions, tryDelivery } from './try-delivery.ts';

/** Delay before deliveries are parked whose lane was locked. */
const lockedLaneMs = 50;
/** How many lanes a round reads. */
const admittedMax = 1_000;

/** The state of delivering. */
export interface Serving extends TryOptions, FollowUpOptions {
  clock: DatabaseClock;
  agenda: Agenda;
  ownership: Ownership;
  lanes: Lanes;
  board: Board;
  flights: Flights;
  /** Ids of webhooks for the next round. */
  asked: Set<string>;
  record: (outcome: Outcome) => void;
}

/** Starts due deliveries. Returns true if there may be more, else the milliseconds until the next one is due. */
export async function serveLanes(serving: Serving): Promise<true | number> {
  const { db, clock, agenda, egress, board, flights } = serving;
  const { inMs, most } = egress.allowance();
  if (inMs > 0) return inMs;
  await admit(serving);
  const nowMs = clock.nowMs();
  const grants = board.grant(flights.values(), { nowMs, steadyMs: performance.now(), most });
  if (grants.length === 0) return serving.asked.size > 0 || agenda.nextAtMs() - nowMs;
  const wanted = grants.map(({ lane, number }) => ({ webhookId: lane.webhookId, number }));
  const lanes = new Set(grants.map(({ lane }) => lane));
  const inFlight = Array.from(flights).flatMap(([id, { lane }]) => (lanes.has(lane) ? [id] : []));
  const dues = Map.groupBy(await readDue(db, wanted, { nowMs, inFlight }), ({ webhookId }) => webhookId);
  const blocked = grants.filter(({ lane, number }) =>
    startLane(serving, lane, dues.get(lane.webhookId) ?? [], number),
  );
  // After all starts: what was read for them must not become old.
  for (const { lane } of blocked) await park(serving, lane);
  return true;
}

/** Adds a lane with due deliveries to the board, now or after its pause. */
function offer({ clock, agenda, ownership, board }: Serving, lane: Lane): void {
  if (!lane.hasDue || lane.isStale || !ownership.of(lane.webhookId)) return board.remove(lane);
  const atMs = startableAtMs(lane);
  if (atMs > clock.nowMs()) agenda.add(lane.webhookId, atMs, clock.nowMs());
  else board.add(lane);
}

/** Reads the lanes with due deliveries, and offers them to the board. */
async function admit(serving: Serving): Promise<void> {
  const { asked, agenda, lanes, clock, ownership } = serving;
  for (const id of agenda.take(clock.nowMs())) asked.add(id);
  const ids = [...asked].slice(0, admittedMax);
  const admitted = await lanes.get(ids.filter((id) => ownership.of(id)));
  for (const id of ids) asked.delete(id);
  for (const lane of admitted) {
    lane.hasDue = true;
    offer(serving, lane);
  }
}

/**
 * Starts the due deliveries of a lane that were read. `wanted`: how many were asked for. Returns true if some are to be
 * parked, before the lane is offered again.
 */
function startLane(serving: Serving, lane: Lane, dues: readonly Due[], wanted: number): boolean {
  const { asked, clock, ownership, flights } = serving;
  lane.hasDue = dues.length >= wanted;
  const isOwn = ownership.of(lane.webhookId)?.epoch === lane.epoch;
  lane.isStale ||= !isOwn || dues.some(({ revision }) => revision !== lane.revision);
  if (lane.isStale) {
    asked.add(lane.webhookId);
    return false;
  }
  for (const due of dues) {
    // A result since the grant may have paused the lane or lowered its limit.
    if (capacity(lane, clock.nowMs()) === 0) {
      lane.hasDue = true;
      break;
    }
    if (due.isBlocked || flights.has(due.id)) continue;
    start(lane, clock.nowMs());
    const flight = { lane, startedAtMs: performance.now(), isOver: false, isClaimed: false };
    flights.set(due.id, Object.assign(flight, { attempt: attempt(serving, flight, due) }));
  }
  if (dues.some(({ isBlocked }) => isBlocked)) return true;
  offer(serving, lane);
  return false;
}

/** Parks the due deliveries of a lane that wait for earlier ones, now or when its row is no longer locked. */
async function park(serving: Serving, lane: Lane): Promise<void> {
  const { db, clock, agenda } = serving;
  const nowMs = clock.nowMs();
  lane.hasDue = await parkBlocked(db, lane, nowMs);
  if (!lane.hasDue) agenda.add(lane.webhookId, nowMs + lockedLaneMs, nowMs);
  offer(serving, lane);
}

/** Makes an attempt, applies its result to the lane, and records it. */
async function attempt(serving: Serving, flight: Flight, due: Due): Promise<void> {
  const { clock, ownership, lanes, record } = serving;
  const { lane } = flight;
  const { webhookId, workspaceId, epoch } = lane;
  const isProbe = lane.openings > 0;
  const isOwn = () => ownership.of(webhookId)?.epoch === epoch;
  // A delivery that was not sent before the lane changed owner is left to the new owner.
  const sendBefore = () => (isOwn() ? ownership.leaseEndMs() : Number.NEGATIVE_INFINITY);
  const { verdict, result } = await tryDelivery(due, lane, { nowMs: clock.nowMs, sendBefore }, serving);
  const nowMs = clock.nowMs();
  flight.isOver = true;
  if (result && isOwn()) {
    const moved = settle(lane, result, { verdict, isProbe, nowMs });
    void followUp(lane, { moved, nowMs, save: () => lanes.save([lane]) }, serving);
  }
  const dueAtMs = 'delayMs' in verdict ? nowMs + verdict.delayMs : null;
  const { id, orderingKey, attempt: number } = due;
  record({ id, webhookId, workspaceId, orderingKey, epoch, attempt: number, verdict, result, dueAtMs });
}

/** Removes recorded deliveries from those in flight, and offers their lanes again. */
export function release(serving: Serving, batch: readonly Outcome[]): void {
  const { agenda, asked, clock, flights } = serving;
  for (const { id, dueAtMs, orderingKey } of batch) {
    const lane = flights.get(id)?.lane;
    flights.delete(id);
    if (!lane) continue;
    lane.inFlight -= 1;
    if (dueAtMs !== null) agenda.add(lane.webhookId, dueAtMs, clock.nowMs());
    // The same transaction made the next delivery in order due.
    else if (orderingKey !== null) asked.add(lane.webhookId);
    // A save has found that its row has changed.
    if (lane.isStale) asked.add(lane.webhookId);
    else offer(serving, lane);
  }
}
