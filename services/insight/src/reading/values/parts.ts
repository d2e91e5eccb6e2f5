import { beginOfHour, endOfHour } from '../../figures/hours.ts';
import { type Day, dayAt } from './days.ts';
import type { Window } from '../window.ts';

/** A part of an hour that does not belong to the day in which its hour begins, and to which its hour is counted. */
export interface ValuePart {
  beginsAt: Date;
  endsAt: Date;
  /** The index of the day of its hour. */
  countedOn: number;
  /** The index of its own day; null outside of the window. */
  belongsTo: number | null;
}

/** Returns the parts of hours that are outside of the window: at most two. */
export function partsOutside({ from, to }: Window, days: readonly Day[]): ValuePart[] {
  const lastHour = beginOfHour(to);
  return [
    { beginsAt: beginOfHour(from), endsAt: from, countedOn: 0, belongsTo: null },
    { beginsAt: to, endsAt: endOfHour(to), countedOn: dayAt(days, lastHour), belongsTo: null },
  ].filter(isSpan);
}

/** Returns the parts of hours that belong to the next day: in some zones, midnight is inside of a UTC hour. */
export function partsAfterMidnight({ to }: Window, days: readonly Day[]): ValuePart[] {
  return days
    .map(({ beginsAt }, day) => {
      const hourEndsAt = endOfHour(beginsAt);
      const endsAt = hourEndsAt < to ? hourEndsAt : to;
      return { beginsAt, endsAt, countedOn: day - 1, belongsTo: day };
    })
    .slice(1)
    .filter(isSpan);
}

function isSpan({ beginsAt, endsAt }: ValuePart): boolean {
  return beginsAt < endsAt;
}
