import type { Window } from '../window.ts';

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
