/**
 * Returns the seconds of an expiry as people write it: digits, or a whole number of days such as `30d`, `30 days` or
 * `30 Tage`. Undefined for anything else: `86.400` is a day in Germany, and 86 seconds elsewhere.
 */
export function expirySeconds(text: string): number | undefined {
  const [, count, days] = /^(\d+)( ?(?:d|days?|tage?))?$/i.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * (days === undefined ? 1 : 24 * 60 * 60);
}
