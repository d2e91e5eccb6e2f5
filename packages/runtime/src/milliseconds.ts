/** Returns the milliseconds since an instant of `performance.now()`, with three decimals. */
export function millisecondsSince(startedAtMs: number): number {
  return Math.round((performance.now() - startedAtMs) * 1000) / 1000;
}
