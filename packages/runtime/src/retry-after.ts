/** The longest respected wait, in milliseconds. */
export const retryAfterMsMax = 24 * 60 * 60 * 1_000;

/**
 * Returns the milliseconds to wait from `nowMs` for an answer's `Retry-After` (RFC 9110, 10.2.3): seconds or
 * a date, at most 24 hours. Undefined without a valid one, and for no wait: 0, or a date in the past.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (!value) return undefined;
  const text = value.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : httpDateMs(text, nowMs) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, retryAfterMsMax) : undefined;
}

const dayName = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longDayName = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const month = `(?<month>${monthNames.join('|')})`;
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';

/**
 * IMF-fixdate, and the two obsolete formats that must be accepted (RFC 9110, 5.6.7): of RFC 850 and of
 * asctime.
 */
const dateForms = [
  `${dayName}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `${longDayName}, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `${dayName} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** Returns NaN for an invalid date. */
function httpDateMs(text: string, nowMs: number): number {
  for (const form of dateForms) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const { year = '', month = '', day, hour, minute, second } = groups;
    const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
    const inYear = (year: number): number => dayMs(year, monthNames.indexOf(month), Number(day)) + timeMs;
    return year.length === 2 ? inLatestYear(Number(year), inYear, nowMs) : inYear(Number(year));
  }
  return Number.NaN;
}

/** Returns midnight of a day, NaN when its month has no such day. `month` counts from 0. */
function dayMs(year: number, month: number, day: number): number {
  const ms = Date.UTC(year, month, day);
  return new Date(ms).getUTCDate() === day ? ms : Number.NaN;
}

/** Returns the latest year with these last two digits that is at most 50 years ahead (RFC 9110, 5.6.7). */
function inLatestYear(twoDigits: number, inYear: (year: number) => number, nowMs: number): number {
  const now = new Date(nowMs);
  const latestMs = new Date(nowMs).setUTCFullYear(now.getUTCFullYear() + 50);
  const century = now.getUTCFullYear() - (now.getUTCFullYear() % 100);
  const candidates = [century + 100, century].map((start) => inYear(start + twoDigits));
  return candidates.find((ms) => ms <= latestMs) ?? inYear(century - 100 + twoDigits);
}
