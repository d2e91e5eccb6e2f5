const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * What `Retry-After` asks for (RFC 9110, 10.2.3), in seconds: as such, or as the date until which to wait, which is taken
 * from the answer's own `Date` where that can be read, else from `nowMs`. Undefined when it is neither.
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked);
  const untilMs = readDate(asked);
  if (untilMs === undefined) return undefined;
  const fromMs = readDate(headers.get('date') ?? '') ?? nowMs;
  return Math.max(0, Math.ceil((untilMs - fromMs) / 1000));
}

// Only in the form that is sent today: `Date.parse` takes much more, and not the same everywhere.
function readDate(text: string): number | undefined {
  const ms = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
