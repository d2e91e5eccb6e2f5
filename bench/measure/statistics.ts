/** Returns the median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Returns the value that the share (0 to 1) of the sorted values does not exceed, by nearest rank. */
export function quantile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Returns the milliseconds to the next of this many random events a second (Poisson). */
export function randomGapMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1_000) / perSecond;
}
