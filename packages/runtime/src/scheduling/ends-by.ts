/**
 * Returns options of an `LRUCache` whose entries end by this monotonic clock in milliseconds, which is never 0. By
 * default, the library reuses a reading of the clock until a timer fires: too late after a freeze of the process.
 */
export function endsBy(now: () => number): { perf: { now: () => number }; ttlResolution: number } {
  return { perf: { now }, ttlResolution: 0 };
}
