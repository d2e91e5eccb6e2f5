import type {
  NpsFigures,
  NumberFigures,
  RankedValue,
  TimeFigures,
  ValueCount,
} from '@parley/contracts/insight/v1/insight';
import { middleOf } from '../figures/counters.ts';

/** Returns the score, its margin and its groups for answers that were counted by their value. */
export function npsOf(counts: ReadonlyMap<string, number>): Omit<NpsFigures, 'distribution'> {
  const groups = { promoters: 0, passives: 0, detractors: 0 };
  for (const [value, n] of counts) groups[groupOf(Number(value))] += n;
  const { promoters, passives, detractors } = groups;
  const n = promoters + passives + detractors;
  if (n === 0) return groups;
  const difference = (promoters - detractors) / n;
  const variance = (promoters + detractors) / n - difference ** 2;
  // Rounding can make it negative when all answers are of one group.
  const margin = 196 * Math.sqrt(Math.max(0, variance) / n);
  return { ...groups, score: 100 * difference, margin };
}

function groupOf(value: number): 'promoters' | 'passives' | 'detractors' {
  if (value >= 9) return 'promoters';
  return value >= 7 ? 'passives' : 'detractors';
}

/** How many values a distribution has. Charts of more cannot be read. */
const valuesMax = 1_000;

/** Returns the figures of numbers that were counted by their text. The distribution also has the declared values. */
export function numbersOf(
  counts: ReadonlyMap<string, number>,
  declared: readonly string[] = [],
): NumberFigures {
  const rising = [...new Set([...declared, ...counts.keys()])]
    .map((value) => ({ value, n: counts.get(value) ?? 0 }))
    .toSorted((one, other) => Number(one.value) - Number(other.value));
  const n = rising.reduce((sum, one) => sum + one.n, 0);
  if (n === 0) return { distribution: rising };
  const total = rising.reduce((sum, { value, n: times }) => sum + Number(value) * times, 0);
  const median = (valueAt(rising, Math.floor((n - 1) / 2)) + valueAt(rising, Math.floor(n / 2))) / 2;
  return { mean: total / n, median, distribution: mostFrequent(rising) };
}

/** Returns the mean place of each value, of counts by `place/value`, and how often it is first; declared ones first. */
export function ranksOf(declared: readonly string[], counts: ReadonlyMap<string, number>): RankedValue[] {
  const ranks = new Map(declared.map((value) => [value, { n: 0, sum: 0, first: 0 }]));
  for (const [place, times] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const [rank = '', ...rest] = place.split('/');
    const value = rest.join('/');
    const { n, sum, first } = ranks.get(value) ?? { n: 0, sum: 0, first: 0 };
    const added = { n: n + times, sum: sum + Number(rank) * times, first: rank === '1' ? times : first };
    ranks.set(value, added);
  }
  return Array.from(ranks, ([value, { n, sum, first }]) => ({
    value,
    meanRank: n === 0 ? undefined : sum / n,
    first,
  }));
}

/** `index` counts all values in rising order. */
function valueAt(rising: readonly ValueCount[], index: number): number {
  let before = 0;
  for (const { value, n } of rising) {
    before += n;
    if (before > index) return Number(value);
  }
  return Number.NaN;
}

/** Returns the most frequent values, in rising order. */
function mostFrequent(rising: readonly ValueCount[]): ValueCount[] {
  if (rising.length <= valuesMax) return [...rising];
  const kept = new Set(rising.toSorted((one, other) => other.n - one.n).slice(0, valuesMax));
  return rising.filter((one) => kept.has(one));
}

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
