import {
  type Attributes,
  type AttributeValue,
  type Meter,
  metrics,
  type ObservableResult,
} from '@opentelemetry/api';
import { addHistogram } from './histograms.ts';
import { addMetricReader, type ReadMetric } from './metric-values.ts';

/** A metric as it is declared, exported and listed in docs/metrics.md. */
export interface MetricDefinition {
  kind: 'histogram' | 'counter' | 'gauge';
  /** As OpenTelemetry names it, such as `http.server.request.duration`. */
  name: string;
  /** In UCUM: `s`, `By`, `1`, `{attempt}`. */
  unit: string;
  description: string;
  attributes?: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  boundaries?: readonly number[];
}

type Declared = Omit<MetricDefinition, 'kind' | 'boundaries'>;

/** A metric that is read at each collection. */
export interface Observed {
  definition: MetricDefinition;
  /**
   * Calls `read` at each collection, and for `readMetrics`, until disposed. If it throws or takes too long, the metric
   * has no value then.
   */
  observe(read: ReadMetric): Disposable;
}

// Undefined: nothing is recorded. The API has no meter that begins to record later.
let meter: Meter | undefined;

/** Makes all metrics record from now on. For `startTelemetry`, after it has set the meter provider. */
export function startRecording(): void {
  meter = metrics.getMeter('parley');
}

/** Returns whether metrics are recorded: what only they need costs nothing otherwise. */
export function isRecording(): boolean {
  return meter !== undefined;
}

/** Upper bounds in seconds: the semantic conventions of HTTP, and 300 ms, a service level objective. */
export const secondsBoundaries: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.3, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** Declares a histogram, by default of seconds with `secondsBoundaries`. Sampled traces become exemplars. */
export function histogram<const Name extends string>(
  declared: Omit<Declared, 'unit'> & { attributes?: readonly Name[]; boundaries?: readonly number[] },
) {
  const definition = { kind: 'histogram', unit: 's', boundaries: secondsBoundaries, ...declared } as const;
  const add = addHistogram(definition);
  return {
    definition,
    record: (seconds: number, attributes: { [name in Name]?: AttributeValue }): void => {
      if (meter) add(seconds, attributes);
    },
  };
}

export function counter(declared: Declared) {
  const { name, unit, description } = declared;
  const create = once((from) => from.createCounter(name, { unit, description }));
  return {
    definition: { kind: 'counter', ...declared } as const,
    /** Counts one event. With 0, a series begins before its first event; otherwise rates would miss that. */
    add: (attributes: Attributes, value: 0 | 1 = 1): void => {
      if (meter) create(meter).add(value, attributes);
    },
  };
}

export function gauge(declared: Declared) {
  const { name, unit, description } = declared;
  const create = once((from) => from.createGauge(name, { unit, description }));
  let last: number | undefined;
  addMetricReader(name, (report) => {
    if (last !== undefined) report(last);
  });
  return {
    definition: { kind: 'gauge', ...declared } as const,
    set: (value: number): void => {
      last = value;
      if (meter) create(meter).record(value);
    },
  };
}

/** Declares a gauge that is read at each collection. Its values do not add up, such as ages. */
export function observedGauge(declared: Declared): Observed {
  return observed({ kind: 'gauge', ...declared }, 'createObservableGauge');
}

/** Declares a number of things that is read at each collection. The values of several processes add up. */
export function observedUpDownCounter(declared: Declared): Observed {
  return observed({ kind: 'gauge', ...declared }, 'createObservableUpDownCounter');
}

/** Declares a counter that is read at each collection. */
export function observedCounter(declared: Declared): Observed {
  return observed({ kind: 'counter', ...declared }, 'createObservableCounter');
}

function observed(
  definition: MetricDefinition,
  method: 'createObservableGauge' | 'createObservableUpDownCounter' | 'createObservableCounter',
): Observed {
  const { name, unit, description } = definition;
  return {
    definition,
    observe: (read) => {
      const instrument = meter?.[method](name, { unit, description });
      const callback = (result: ObservableResult): void | Promise<void> =>
        read((value, attributes) => result.observe(value, attributes));
      instrument?.addCallback(callback);
      const reader = addMetricReader(name, read);
      return {
        [Symbol.dispose]: () => {
          instrument?.removeCallback(callback);
          reader[Symbol.dispose]();
        },
      };
    },
  };
}

function once<Instrument>(create: (from: Meter) => Instrument): (from: Meter) => Instrument {
  let created: Instrument | undefined;
  return (from) => (created ??= create(from));
}
