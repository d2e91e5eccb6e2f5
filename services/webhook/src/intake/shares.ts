import type { Share } from '@parley/events/consumer';
import type { Subscriber } from '../subscriptions/subscription-store.ts';

interface WantedEvent {
  id: string;
  workspaceId: string;
  subscribers: readonly Pick<Subscriber, 'units'>[];
}

/** The most work of a batch, which others wait for, in units of about a nanosecond. */
const batchUnitsMax = 20_000_000;
/** The most work of one event of a large batch, in these units. */
const eventUnitsMax = 200_000;
/** The most work of a share with several events. They rarely take a tenth of it. */
const shareUnitsMax = 300_000_000;

/**
 * Returns the ids of the events that must wait for a share of their workspace. Of a batch, workspaces with little work
 * come first, and all events of a workspace wait if one does, so that they keep their order. Of a share, the first
 * events do not wait. Work is the most that events can take, whatever their bodies.
 */
export function eventsThatWait(
  wanted: readonly WantedEvent[],
  { isShare }: Pick<Share, 'isShare'>,
): string[] {
  const byWorkspace = [...Map.groupBy(wanted, ({ workspaceId }) => workspaceId).values()];
  const parts = isShare
    ? wanted.map((event) => [event])
    : byWorkspace.toSorted((one, other) => unitsOf(one) - unitsOf(other));
  const unitsMax = isShare ? shareUnitsMax : Math.max(batchUnitsMax, eventUnitsMax * wanted.length);
  let units = 0;
  const firstThatWaits = parts.findIndex((part, index) => {
    units += unitsOf(part);
    return units > unitsMax && !(isShare && index === 0);
  });
  return firstThatWaits < 0 ? [] : parts.slice(firstThatWaits).flatMap((part) => part.map(({ id }) => id));
}

/** Whether work of so many units, such as a filter, alone makes the events of a large batch wait. */
export function isCostly(units: number): boolean {
  return units > eventUnitsMax;
}

function unitsOf(events: readonly WantedEvent[]): number {
  let units = 0;
  for (const { subscribers } of events) for (const one of subscribers) units += one.units;
  return units;
}
