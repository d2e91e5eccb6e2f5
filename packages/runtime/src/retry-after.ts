/** The longest respected wait, in milliseconds. */
export const retryAfterMsMax = 24 * 60 * 60 * 1_000;

/**
 * Returns the milliseconds to wait from `nowMs` for an answer's `Retry-After` (RFC 9110, 10.2.3): seconds or
 * a date, at most 24 hours. Undefined without a valid one, and for no wait: 0, or a date in the past.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (!value) return undefined;
  const text = value.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : httpDateMs(text) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, retryAfterMsMax) : undefined;
}

/** Returns NaN unless it is a date as HTTP has it (IMF-fixdate: RFC 9110, 5.6.7). */
function httpDateMs(text: string): number {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && new Date(ms).toUTCString() === text ? ms : Number.NaN;
}
