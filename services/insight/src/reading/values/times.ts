import type { TimeFigures } from '@parley/contracts/insight/v1/insight';
import { middleOf } from '../../figures/buckets.ts';

/** Returns the figures of times that were counted by buckets. They differ from the exact ones by less than 5 %. */
export function timesOf(buckets: ReadonlyMap<string, number>): TimeFigures {
  const counts = [...buckets]
    .map(([bucket, n]) => [Number(bucket), n] as const)
    .toSorted(([one], [other]) => one - other);
  const n = counts.reduce((sum, [, count]) => sum + count, 0);
  return { n, medianSeconds: quantile(counts, n, 0.5), p90Seconds: quantile(counts, n, 0.9) };
}

/** Returns the nearest rank: the smallest time that at least the share of all does not exceed. */
function quantile(
  counts: readonly (readonly [bucket: number, n: number])[],
  n: number,
  share: number,
): number | undefined {
  let missing = Math.ceil(share * n);
  for (const [bucket, count] of counts) {
    missing -= count;
    if (missing <= 0) return middleOf(bucket);
  }
  return undefined;
}
