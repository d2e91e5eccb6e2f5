import type { MetricDefinition } from './metrics.ts';

/** The words of units. Units in braces have none. */
const unitWords: Record<string, string> = { s: 'seconds', By: 'bytes' };

/**
 * Returns the name of a metric in Prometheus, such as `http_server_request_duration_seconds`. Source:
 * <https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/>.
 */
export function prometheusName(
  { name, unit }: Pick<MetricDefinition, 'name' | 'unit'>,
  kind: MetricDefinition['kind'],
): string {
  const word = unit === '1' && kind === 'gauge' ? 'ratio' : unitWords[unit];
  return [name.replace(/\W/g, '_'), word, kind === 'counter' && 'total'].filter(Boolean).join('_');
}
