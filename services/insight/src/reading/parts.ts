import { type Day, dayAt } from './days.ts';
import { beginOfHour, endOfHour, type Window } from './window.ts';

/** A part of an hour that does not belong where its hour is counted. */
export interface Part {
  beginsAt: Date;
  endsAt: Date;
  /** The index of the day of its hour: the day in which the hour begins. */
  day: number;
}

/** Returns the parts of hours that are outside of the window. */
export function partsOutside({ from, to }: Window, days: readonly Day[]): Part[] {
  const parts = [
    { beginsAt: beginOfHour(from), endsAt: from, day: 0 },
    { beginsAt: to, endsAt: endOfHour(to), day: dayAt(days, beginOfHour(to)) },
  ];
  return parts.filter(({ beginsAt, endsAt }) => beginsAt < endsAt);
}

/** Returns the parts of hours that belong to the next day: in some zones, midnight is inside of a UTC hour. */
export function partsOfNextDays({ to }: Window, days: readonly Day[]): Part[] {
  const parts = days.slice(1).map(({ beginsAt }, day) => {
    const hourEndsAt = endOfHour(beginsAt);
    return { beginsAt, endsAt: hourEndsAt < to ? hourEndsAt : to, day };
  });
  return parts.filter(({ beginsAt, endsAt }) => beginsAt < endsAt);
}
