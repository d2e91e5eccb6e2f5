import { type Attributes, type HrTime, trace, TraceFlags } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';

/** A measurement, with the sampled trace in which it was made. */
export interface Exemplar {
  traceId: string;
  spanId: string;
  value: number;
  atMs: number;
}

/** The measurements of a histogram that have the same attributes. */
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

/** A histogram with what it has recorded. */
export interface Histogram {
  declared: Declared;
  series(): Iterable<Readonly<Series>>;
}

const all: Histogram[] = [];

/** Returns the histograms of this process. */
export function histograms(): readonly Histogram[] {
  return all;
}

/**
 * Adds a histogram to those of this process and returns what records a measurement. The values of attributes must be
 * few. The SDK's histogram sorts and serialises the attributes of each measurement, which took 4 % of a call's
 * processor time, and has no exemplars (open-telemetry/opentelemetry-js, issue 2594).
 */
export function addHistogram(declared: Declared): (value: number, attributes: Attributes) => void {
  const { boundaries, attributes: names = [] } = declared;
  const seriesByKey = new Map<string, Series>();
  all.push({ declared, series: () => seriesByKey.values() });
  return (value, attributes) => {
    let key = '';
    for (const name of names) key += `${String(attributes[name])}\n`;
    let series = seriesByKey.get(key);
    if (!series) seriesByKey.set(key, (series = emptySeries(attributes, boundaries.length + 1)));
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
