const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Returns `Retry-After` (RFC 9110, 10.2.3) in seconds. A date is compared with the answer's `Date` if it is valid, else
 * with `nowMs`. Undefined for any other text.
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked);
  const untilMs = readDate(asked);
  if (untilMs === undefined) return undefined;
  const fromMs = readDate(headers.get('date') ?? '') ?? nowMs;
  return Math.max(0, Math.ceil((untilMs - fromMs) / 1000));
}

// Only the current form of HTTP dates: `Date.parse` accepts other forms, which differ between platforms.
function readDate(text: string): number | undefined {
  const ms = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
