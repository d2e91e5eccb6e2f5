const dayMs = 86_400_000;

/** Whether the text is a day that exists, written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

/** Whether the text is a time of day, written `HH:MM`. */
export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/**
 * Returns the day of a bound: the day itself, or for `today±N` counted from the UTC day of `now` (epoch
 * seconds).
 */
export function boundDate(bound: string, now: number): string {
  const match = /^today([+-]\d+)?$/.exec(bound);
  if (match === null) return bound;
  return new Date(now * 1000 + Number(match[1] ?? 0) * dayMs).toISOString().slice(0, 10);
}
