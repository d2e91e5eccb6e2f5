import { createNoopMeter, type MetricOptions } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import type { MetricDefinition } from '../src/metrics/metrics.ts';

/** The attributes of the metrics that have any. The tests of the whole system compare them with what is served. */
const attributesOf: Record<string, string> = {
  'nodejs.eventloop.time': 'nodejs.eventloop.state',
  'v8js.gc.duration': 'v8js.gc.type',
  'v8js.memory.heap.space.available_size': 'v8js.heap.space.name',
  'v8js.memory.heap.space.physical_size': 'v8js.heap.space.name',
  'v8js.memory.heap.space.size': 'v8js.heap.space.name',
  'v8js.memory.heap.used': 'v8js.heap.space.name',
  'v8js.resource.active': 'v8js.resource.type',
};

/** Returns the metrics of Node that OpenTelemetry's instrumentation declares. */
export function runtimeMetrics(): MetricDefinition[] {
  const found: MetricDefinition[] = [];
  const declare =
    <Instrument>(kind: MetricDefinition['kind'], instrument: Instrument) =>
    (name: string, { unit = '', description = '' }: MetricOptions = {}): Instrument => {
      const attribute = attributesOf[name];
      const attributes = attribute === undefined ? [] : [attribute];
      found.push({ kind, name, unit, description: description.replace(/\.$/, ''), attributes });
      return instrument;
    };
  const meter = createNoopMeter();
  meter.createHistogram = declare('histogram', meter.createHistogram(''));
  meter.createObservableCounter = declare('counter', meter.createObservableCounter(''));
  meter.createObservableGauge = declare('gauge', meter.createObservableGauge(''));
  meter.createObservableUpDownCounter = declare('gauge', meter.createObservableUpDownCounter(''));
  const instrumentation = new RuntimeNodeInstrumentation();
  instrumentation.setMeterProvider({ getMeter: () => meter });
  instrumentation.disable();
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
