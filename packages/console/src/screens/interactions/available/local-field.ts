import { instant } from '@parley/client';

/** Returns an instant of the API as a field for day and time shows it, in the time zone of the browser. */
export function localField(at: string | undefined): string {
  if (at === undefined) return '';
  const date = instant(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
