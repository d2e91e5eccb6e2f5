import type { NumberFigures, ValueCount } from '@parley/contracts/insight/v1/insight';

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
