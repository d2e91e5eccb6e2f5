import { type Check, isDay, isText, searchOf } from '../search.ts';

const dayMs = 86_400_000;

/** Returns the time zone of the browser: a name of IANA. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function isZone(text: string | undefined): text is string {
  // Intl also accepts offsets, such as +01:00.
  if (text === undefined || !/^[A-Za-z]/.test(text)) return false;
  try {
    return Number.isFinite(wallClock(0, text));
  } catch {
    return false;
  }
}

/** Returns the zone of the days of an address: without a valid one, the browser's. */
export function zoneOf({ tz }: { tz?: string | undefined }): string {
  return isZone(tz) ? tz : browserZone();
}

/**
 * Adds their zone to the parameters of an address, if one of them is a day. With it, the address has the same data in
 * each browser.
 */
export function withZone<Search extends { tz?: string | undefined }>(
  search: Search,
  instants: readonly (string | undefined)[],
): Search {
  const hasDays = instants.some((at) => at !== undefined && isDay(at));
  if (hasDays) return { ...search, tz: zoneOf(search) };
  return search.tz === undefined ? search : { ...search, tz: undefined };
}

/** As `searchOf`, of parameters of which these are days, with their zone `tz`. */
export function searchWithDays<Name extends string>(
  checks: Record<Name, Check>,
  days: readonly NoInfer<Name>[],
) {
  const read = searchOf<Name | 'tz'>({ ...checks, tz: isText });
  return (search: Record<string, unknown>): ReturnType<typeof read> => {
    const found = read(search);
    return withZone(
      found,
      days.map((name) => found[name]),
    );
  };
}

/** Returns the start of a day in a time zone, `later` days on. If midnight is skipped, the first instant. */
export function startOfDayIn(zone: string, day: string, later = 0): Date {
  const midnightMs = Date.parse(`${day}T00:00:00Z`) + later * dayMs;
  const [before = 0, after = 0] = [midnightMs - dayMs, midnightMs + dayMs].map(
    (ms) => wallClock(ms, zone) - ms,
  );
  const starts = [midnightMs - before, midnightMs - after].filter((ms) => wallClock(ms, zone) === midnightMs);
  return new Date(starts.length > 0 ? Math.min(...starts) : midnightMs - before);
}

/** Returns the day of a time zone, as addresses have it, some days before today. */
export function daysAgoIn(zone: string, days: number): string {
  const today = new Date(wallClock(Date.now(), zone));
  return new Date(today.getTime() - days * dayMs).toISOString().slice(0, 10);
}

/** Returns what the clocks of a zone show at an instant, as the UTC time that looks the same, in whole seconds. */
function wallClock(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => parts.get(name));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
