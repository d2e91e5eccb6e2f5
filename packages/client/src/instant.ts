/**
 * Returns the instant of an API timestamp such as `createdAt`. Timestamps are in UTC without a zone, which
 * `new Date(text)` would read as local time. Throws a RangeError for any other text.
 */
export function instant(text: string): Date {
  const at = new Date(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) || Number.isNaN(at.getTime()))
    throw new RangeError(`not a timestamp of the API: ${text}`);
  return at;
}
