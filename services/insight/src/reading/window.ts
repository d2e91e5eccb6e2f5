import { beginOfHour, endOfHour } from '../figures/counters.ts';

/** A span of time: `from` inclusive, `to` exclusive. */
export interface Window {
  from: Date;
  to: Date;
}

/** Returns the UTC hours that the window touches. */
export function hoursOf({ from, to }: Window): Window {
  return { from: beginOfHour(from), to: endOfHour(to) };
}

/** Returns the window of the same length that ends where this one begins. */
export function windowBefore({ from, to }: Window): Window {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from };
}

/** A day of a window, in a time zone. */
export interface Day {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Its midnight; for the first day of a window, the beginning of the window. */
  beginsAt: Date;
}

const secondMs = 1_000;
const dayMs = 86_400_000;
/** A day can be longer than usual by the change of an offset, which is at most a day at the date line. */
const dayMsMax = 2 * dayMs;

/** Returns the days of the window, in order. A date that the zone has skipped is no day. */
export function daysOf({ from, to }: Window, tz: string): Day[] {
  const dateOf = dateFormat(tz);
  const days: Day[] = [];
  for (let beginsAtMs = from.getTime(); beginsAtMs < to.getTime(); ) {
    const date = dateOf(beginsAtMs);
    days.push({ date, beginsAt: new Date(beginsAtMs) });
    beginsAtMs = nextMidnight(beginsAtMs, (ms) => dateOf(ms) !== date);
  }
  return days;
}

/** Returns the index of the day to which an instant belongs; an earlier instant belongs to the first day. */
export function dayAt(days: readonly Day[], at: Date): number {
  return Math.max(
    0,
    days.findLastIndex(({ beginsAt }) => beginsAt <= at),
  );
}

/** Returns the date of the Monday of the week of a date. A date of year 10,000 is a week of its own. */
export function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return date;
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, date.length);
}

export function isTimeZone(text: string): boolean {
  // Intl also accepts offsets, such as +01:00.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    dateFormat(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that returns the date of an instant. Throws a `RangeError` for an unknown zone. */
function dateFormat(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (ms) => format.format(ms).padStart('YYYY-MM-DD'.length, '0');
}

/** Returns the first instant after `ms` with another date. Zones change their offsets at whole seconds. */
function nextMidnight(ms: number, isLater: (ms: number) => boolean): number {
  const beginMs = Math.floor(ms / secondMs) * secondMs;
  const usualMs = beginMs + dayMs;
  if (isLater(usualMs) && !isLater(usualMs - secondMs)) return usualMs;
  let [earlierMs, laterMs] = [beginMs, beginMs + dayMsMax];
  while (laterMs - earlierMs > secondMs) {
    const middleMs = Math.floor((earlierMs + laterMs) / 2 / secondMs) * secondMs;
    if (isLater(middleMs)) laterMs = middleMs;
    else earlierMs = middleMs;
  }
  return laterMs;
}

/** A part of an hour that does not belong to the day in which its hour begins, and to which its hour is counted. */
export interface Part {
  beginsAt: Date;
  endsAt: Date;
  /** The index of the day of its hour. */
  countedOn: number;
  /** The index of its own day; null outside of the window. */
  belongsTo: number | null;
}

/** Returns the parts of hours that are outside of the window: at most two. */
export function partsOutside({ from, to }: Window, days: readonly Day[]): Part[] {
  const lastHour = beginOfHour(to);
  return [
    { beginsAt: beginOfHour(from), endsAt: from, countedOn: 0, belongsTo: null },
    { beginsAt: to, endsAt: endOfHour(to), countedOn: dayAt(days, lastHour), belongsTo: null },
  ].filter(isSpan);
}

/** Returns the parts of hours that belong to the next day: in some zones, midnight is inside of a UTC hour. */
export function partsAfterMidnight({ to }: Window, days: readonly Day[]): Part[] {
  return days
    .map(({ beginsAt }, day) => {
      const hourEndsAt = endOfHour(beginsAt);
      const endsAt = hourEndsAt < to ? hourEndsAt : to;
      return { beginsAt, endsAt, countedOn: day - 1, belongsTo: day };
    })
    .slice(1)
    .filter(isSpan);
}

function isSpan({ beginsAt, endsAt }: Part): boolean {
  return beginsAt < endsAt;
}
