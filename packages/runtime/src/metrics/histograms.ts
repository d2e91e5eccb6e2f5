import { type Attributes, type HrTime, trace, TraceFlags } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';

export interface Exemplar {
  traceId: string;
  spanId: string;
  value: number;
  atMs: number;
}

interface Series {
  attributes: Attributes;
  startTime: HrTime;
  sum: number;
  count: number;
  /** The number of measurements in each bucket. The last bucket has no upper bound. */
  counts: number[];
  /** The latest exemplar of each bucket. Buckets without one are empty. */
  exemplars: Exemplar[];
}

interface Declared {
  name: string;
  unit: string;
  description: string;
  boundaries: readonly number[];
  attributes?: readonly string[];
}

export interface Histogram {
  declared: Declared;
  series(): Iterable<Readonly<Series>>;
}

const all: Histogram[] = [];

/**
 * The limit of series of a histogram. The last one counts all further attributes, as in the SDK. Source:
 * <https://opentelemetry.io/docs/specs/otel/metrics/sdk/#cardinality-limits>.
 */
const seriesMax = 2_000;
const overflow: Attributes = { 'otel.metric.overflow': true };
// Each value of a key ends a line.
const overflowKey = 'overflow';

export function histograms(): readonly Histogram[] {
  return all;
}

/**
 * Adds a histogram to the metrics of this process and returns what records a measurement. It leaves out NaN and
 * negative values, as the SDK does: a single NaN would be the sum from then on. The values of attributes must be few.
 * The SDK's histogram is slower, because it sorts and serialises the attributes of each measurement. It has no
 * exemplars (open-telemetry/opentelemetry-js, issue 2594).
 */
export function addHistogram(declared: Declared): (value: number, attributes: Attributes) => void {
  const { boundaries, attributes: names = [] } = declared;
  const seriesByKey = new Map<string, Series>();
  all.push({ declared, series: () => seriesByKey.values() });
  const add = (key: string, attributes: Attributes): Series => {
    const series = emptySeries(attributes, boundaries.length + 1);
    seriesByKey.set(key, series);
    return series;
  };
  return (value, attributes) => {
    if (!(value >= 0)) return;
    let key = '';
    for (const name of names) key += `${String(attributes[name])}\n`;
    let series = seriesByKey.get(key);
    if (!series && seriesByKey.size < seriesMax - 1) series = add(key, attributes);
    series ??= seriesByKey.get(overflowKey) ?? add(overflowKey, overflow);
    const found = boundaries.findIndex((boundary) => value <= boundary);
    const bucket = found < 0 ? boundaries.length : found;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += value;
    const span = trace.getActiveSpan()?.spanContext();
    if (!span || !(span.traceFlags & TraceFlags.SAMPLED)) return;
    const { traceId, spanId } = span;
    series.exemplars[bucket] = { traceId, spanId, value, atMs: Date.now() };
  };
}

function emptySeries(attributes: Attributes, buckets: number): Series {
  const counts = Array.from({ length: buckets }, () => 0);
  return { attributes, startTime: millisToHrTime(Date.now()), sum: 0, count: 0, counts, exemplars: [] };
}
