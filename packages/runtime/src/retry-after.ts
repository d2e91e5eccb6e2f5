const pauseMsMax = 24 * 60 * 60 * 1_000;

/**
 * Milliseconds to wait from `nowMs` on for an answer's `Retry-After` (RFC 9110, 10.2.3): seconds or a date, at most 24
 * hours. Undefined when there is none, it says nothing, or the date has passed.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (!value) return undefined;
  const text = value.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : httpDateMs(text) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, pauseMsMax) : undefined;
}

/** IMF-fixdate, the form that senders must use. NaN for anything else. */
function httpDateMs(text: string): number {
  return /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
