/**
 * The instant that a timestamp of the API means (`expiresAt`, `createdAt`): UTC without saying so, which `new Date(text)` would
 * read as local time. Throws a RangeError for a text that is none.
 */
export function instant(text: string): Date {
  const at = new Date(`${text}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) || Number.isNaN(at.getTime()))
    throw new RangeError(`not a timestamp of the API: ${text}`);
  return at;
}
