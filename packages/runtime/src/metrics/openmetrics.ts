import type { Attributes } from '@opentelemetry/api';
import {
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { HistogramPoint } from './histogram-producer.ts';
import type { Exemplar } from './histograms.ts';
import { prometheusName } from './prometheus-name.ts';

/**
 * Returns metrics as text: OpenMetrics 1.0 with exemplars, or the older format of Prometheus (0.0.4) without. Names
 * follow OpenTelemetry's compatibility rules. Histograms must have explicit buckets.
 *
 * The SDK's exporter neither appends units to names nor has exemplars. Source:
 * <https://prometheus.io/docs/specs/om/open_metrics_spec/>,
 * <https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/>.
 */
export function metricsText({ resource, scopeMetrics }: ResourceMetrics, isOpenMetrics: boolean): string {
  const metrics = scopeMetrics.flatMap((scope) => scope.metrics);
  return [
    isOpenMetrics ? '# TYPE target info' : '# TYPE target_info gauge',
    `# HELP ${isOpenMetrics ? 'target' : 'target_info'} The process`,
    sample('target_info', targetAttributes(resource.attributes), 1),
    ...metrics.flatMap((metric) => linesOf(metric, isOpenMetrics)),
    ...(isOpenMetrics ? ['# EOF'] : []),
    '',
  ].join('\n');
}

// The command line and the path of the program are the same for all, and long.
function targetAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('process.')));
}

function linesOf(metric: MetricData, isOpenMetrics: boolean): string[] {
  const type = typeOf(metric);
  const name = prometheusName(metric.descriptor, type);
  const family = isOpenMetrics ? name.replace(/_total$/, '') : name;
  const head = [`# TYPE ${family} ${type}`, `# HELP ${family} ${escape(metric.descriptor.description)}`];
  if (metric.dataPointType === DataPointType.HISTOGRAM) {
    return [...head, ...metric.dataPoints.flatMap((point) => histogramLines(point, name, isOpenMetrics))];
  }
  if (metric.dataPointType === DataPointType.EXPONENTIAL_HISTOGRAM) return [];
  return [...head, ...metric.dataPoints.map(({ attributes, value }) => sample(name, attributes, value))];
}

function typeOf(metric: MetricData): 'histogram' | 'counter' | 'gauge' {
  if (metric.dataPointType === DataPointType.HISTOGRAM) return 'histogram';
  return metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? 'counter' : 'gauge';
}

function histogramLines(
  { attributes, value, exemplars = [] }: DataPoint<Histogram> & Partial<HistogramPoint>,
  name: string,
  isOpenMetrics: boolean,
): string[] {
  const { boundaries, counts } = value.buckets;
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const le = boundText(boundaries[index]);
    return (
      sample(`${name}_bucket`, { ...attributes, le }, total) +
      (isOpenMetrics ? exemplarText(exemplars[index]) : '')
    );
  });
  return [
    ...buckets,
    sample(`${name}_sum`, attributes, value.sum ?? 0),
    sample(`${name}_count`, attributes, value.count),
  ];
}

/** Returns a bound in the form in which Prometheus 3 keeps it, whichever format it reads: `10.0`. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return '+Inf';
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

function exemplarText(exemplar: Exemplar | undefined): string {
  if (!exemplar) return '';
  const { traceId, spanId, value, atMs } = exemplar;
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${value} ${atMs / 1_000}`;
}

function sample(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(([key, text]) => `${labelName(key)}="${labelText(text)}"`);
  return `${name}${labels.length > 0 ? `{${labels.join(',')}}` : ''} ${value}`;
}

function labelName(attribute: string): string {
  return attribute.replace(/\W/g, '_');
}

function labelText(value: unknown): string {
  return escape(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
