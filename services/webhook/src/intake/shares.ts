import type { Share } from '@parley/events/consumer';
import type { Subscriber } from '../subscriptions/subscription-store.ts';

interface Work {
  id: string;
  workspaceId: string;
  subscribers: readonly Pick<Subscriber, 'units'>[];
}

interface WantedEvent extends Work {
  raisedAt: Date;
  subscribers: readonly Pick<Subscriber, 'units' | 'since' | 'hadFilter'>[];
}

/** The most work of a batch, which others wait for, in units of about a nanosecond. */
const batchUnitsMax = 20_000_000;
/** The most work of one event of a large batch for all webhooks, and of one filter that is not costly. */
const eventUnitsMax = 200_000;
/** How far the order of ids and of `raisedAt` may differ, because transactions overlap. */
const raisedApartMsMax = 10_000;
/** The most work of a share with several events. They rarely take a tenth of it. */
const shareUnitsMax = 300_000_000;

/**
 * Returns the ids of the events that must wait for a share of their workspace. Of a batch, workspaces with little work
 * come first, and all events of a workspace wait if one does, so that they keep their order. Of a share, the first
 * events do not wait. Work is the most that events can take, whatever their bodies.
 */
export function eventsThatWait(wanted: readonly Work[], { isShare }: Pick<Share, 'isShare'>): string[] {
  const byWorkspace = [...Map.groupBy(wanted, ({ workspaceId }) => workspaceId).values()];
  const parts = isShare
    ? wanted.map((event) => [event])
    : byWorkspace.toSorted((one, other) => unitsOf(one) - unitsOf(other));
  const unitsMax = isShare ? shareUnitsMax : unitsMaxOf(wanted);
  let units = 0;
  const firstThatWaits = parts.findIndex((part, index) => {
    units += unitsOf(part);
    return units > unitsMax && !(isShare && index === 0);
  });
  return firstThatWaits < 0 ? [] : parts.slice(firstThatWaits).flatMap((part) => part.map(({ id }) => id));
}

/**
 * Whether the filter of a webhook is evaluated later if there is much to do. Both handlers of an event ask: a release
 * that changes the answer for a filter must tell events that were postponed before from later ones.
 */
export function isCostly({ units }: Pick<Subscriber, 'units'>): boolean {
  return units > eventUnitsMax;
}

interface Divided<Event> {
  /** What is done now: events with all of their webhooks, or those that do not get them later. */
  now: Event[];
  /** The ids of the events that other webhooks, with costly filters, get later. */
  postponed: Set<string>;
  /** The ids of the events that wait for a share of their workspace. */
  waits: Set<string>;
}

/**
 * Divides the work of events. A share with too much of it, or of a workspace with events that were postponed before,
 * postpones costly filters: they delay their own webhooks only. A batch leaves that to the share, because others wait
 * for the batch. `postponedSince` says when the first of the postponed events of each workspace was raised. Such an
 * event may be for an ordered webhook whose filter was changed after it, so later ones wait.
 */
export function divide<Event extends WantedEvent>(
  wanted: readonly Event[],
  postponedSince: ReadonlyMap<string, Date>,
  share: Pick<Share, 'isShare'>,
): Divided<Event> {
  const isTooMuch = share.isShare && unitsOf(wanted) > unitsMaxOf(wanted);
  // When the first postponed event of each workspace was raised at the earliest.
  const firstMs = new Map(
    Array.from(postponedSince, ([workspaceId, at]) => [workspaceId, at.getTime() - raisedApartMsMax]),
  );
  const behind = new Set<string>();
  const postponed = new Set<string>();
  const waits = new Set<string>();
  const rest: Event[] = [];
  for (const event of wanted.toSorted(inOrder)) {
    const { id, workspaceId, subscribers, raisedAt } = event;
    const first = firstMs.get(workspaceId);
    const isPostponing = first !== undefined || isTooMuch;
    const others = isPostponing ? subscribers.filter((one) => !isCostly(one)) : subscribers;
    if (first !== undefined && others.some((one) => mayHaveBeenCostly(one, first))) behind.add(workspaceId);
    if (behind.has(workspaceId)) waits.add(id);
    else {
      rest.push({ ...event, subscribers: others });
      if (others.length === subscribers.length) continue;
      postponed.add(id);
      firstMs.set(workspaceId, first ?? raisedAt.getTime());
    }
  }
  for (const id of eventsThatWait(rest, share)) waits.add(id);
  for (const id of waits) postponed.delete(id);
  return { now: rest.filter(({ id }) => !waits.has(id)), postponed, waits };
}

function inOrder(one: WantedEvent, other: WantedEvent): number {
  return one.raisedAt.getTime() - other.raisedAt.getTime() || (one.id < other.id ? -1 : 1);
}

/** Whether the order matters, and the filter may have been another one when the first postponed event was raised. */
function mayHaveBeenCostly(
  { hadFilter, since }: WantedEvent['subscribers'][number],
  firstMs: number,
): boolean {
  return hadFilter && since.getTime() > firstMs;
}

/** Returns the most work of a batch. */
function unitsMaxOf(batch: readonly Work[]): number {
  return Math.max(batchUnitsMax, eventUnitsMax * batch.length);
}

function unitsOf(events: readonly Work[]): number {
  let units = 0;
  for (const { subscribers } of events) for (const one of subscribers) units += one.units;
  return units;
}
