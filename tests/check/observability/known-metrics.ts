import { documentedMetrics } from '../../documents/metrics.ts';
import { rules } from './files.ts';
import { parseQuery } from './promql.ts';

/** Labels that each scrape adds. */
const target = ['job', 'instance'];

/** Metrics that our code does not declare: of Prometheus, the SDK, cert-manager and CloudNativePG. */
const external: Record<string, string[]> = {
  up: target,
  ALERTS: [...target, 'alertname', 'alertstate', 'severity', 'slo', 'window'],
  target_info: [...target, 'service_name', 'service_version', 'service_instance_id'],
  certmanager_certificate_expiration_timestamp_seconds: ['name', 'namespace'],
  cnpg_collector_last_available_backup_timestamp: ['namespace', 'pod'],
  cnpg_pg_replication_lag: ['namespace', 'pod'],
  cnpg_pg_replication_streaming_replicas: ['namespace', 'pod'],
  barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: ['namespace', 'pod'],
};

const metrics = documentedMetrics();

const known = new Map([
  ...Object.entries(external),
  ...metrics.flatMap(({ name, kind, labels }): [string, string[]][] => {
    const all = [...target, ...labels];
    if (kind !== 'histogram') return [[name, all]];
    return [
      [`${name}_count`, all],
      [`${name}_sum`, all],
      [`${name}_bucket`, [...all, 'le']],
    ];
  }),
]);

// The series of a recording rule have its own labels, the labels that it groups by, and the labels of recording rules
// in it.
for (const { record, labels = {}, expr } of rules) {
  if (!record) continue;
  const { groupings, selectors } = parseQuery(expr);
  const ofRules = selectors.map(({ metric }) => metric).filter((metric) => metric.includes(':'));
  known.set(record, [
    ...(known.get(record) ?? []),
    ...Object.keys(labels),
    ...groupings.map(({ label }) => label),
    ...ofRules.flatMap((metric) => known.get(metric) ?? []),
  ]);
}

/** Returns the labels of a metric, or undefined if nothing that we know exposes it. */
export function labelsOf(metric: string): string[] | undefined {
  return known.get(metric);
}

/** Returns the bounds of the buckets of `metric`, or undefined if it has none that are declared. */
export function boundsOf(metric: string): readonly number[] | undefined {
  return metrics.find(({ name }) => `${name}_bucket` === metric)?.boundaries;
}
