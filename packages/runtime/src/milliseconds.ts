/** Returns the milliseconds since an instant of `performance.now()`, with three decimals. */
export function millisecondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
