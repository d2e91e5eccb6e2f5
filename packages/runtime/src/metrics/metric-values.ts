import type { Attributes } from '@opentelemetry/api';

export type Report = (value: number, attributes?: Attributes) => void;

export type ReadMetric = (report: Report) => void | Promise<void>;

export interface MetricValue {
  metric: string;
  attributes: Record<string, string>;
  value: number;
}

/** A metric that takes longer has no value. */
const readMsMax = 1_000;

const readers = new Map<string, Set<ReadMetric>>();

/** Lets `readMetrics` read a metric, until disposed. */
export function addMetricReader(metric: string, read: ReadMetric): Disposable {
  const ofMetric = readers.get(metric) ?? new Set();
  readers.set(metric, ofMetric.add(read));
  return { [Symbol.dispose]: () => ofMetric.delete(read) };
}

/**
 * Returns the current values of metrics, also while nothing records them. A metric that this process does not have, or
 * that cannot be read within a second, has none.
 */
export async function readMetrics(metrics: readonly string[]): Promise<MetricValue[]> {
  const reads = metrics.flatMap((metric) =>
    [...(readers.get(metric) ?? [])].map((read) => ({ metric, read })),
  );
  const values = await Promise.all(reads.map(({ metric, read }) => valuesOf(metric, read)));
  return values.flat();
}

async function valuesOf(metric: string, read: ReadMetric): Promise<MetricValue[]> {
  const values: MetricValue[] = [];
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), readMsMax);
  try {
    const reading = Promise.resolve(
      read((value, attributes = {}) => void values.push({ metric, attributes: texts(attributes), value })),
    );
    return (await Promise.race([reading, late.promise])) === 'late' ? [] : values;
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function texts(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
}
