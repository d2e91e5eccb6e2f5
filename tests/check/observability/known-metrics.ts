import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rules } from './files.ts';
import { parseQuery } from './promql.ts';

/** Labels that each scrape adds. */
const target = ['job', 'instance'];

/** Metrics that are not of our services: of Prometheus, cert-manager and CloudNativePG. */
const external: Record<string, string[]> = {
  up: target,
  ALERTS: [...target, 'alertname', 'alertstate', 'severity', 'slo', 'window'],
  certmanager_certificate_expiration_timestamp_seconds: ['name', 'namespace'],
  cnpg_collector_last_available_backup_timestamp: ['namespace', 'pod'],
  barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: ['namespace', 'pod'],
};

/** Reads the names in Prometheus and the labels from the table of docs/metrics.md, which is generated from the code. */
function exposed(): Map<string, string[]> {
  const path = resolve(import.meta.dirname, '../../../docs/metrics.md');
  const lines = readFileSync(path, 'utf8').split('\n');
  const rows = lines.map((line) => /^\| `[a-z_.0-9]+` \| `([a-z_0-9]+)` \|([^|]*)\|/.exec(line));
  return new Map(
    rows.flatMap((row) =>
      row
        ? [[row[1] ?? '', Array.from((row[2] ?? '').matchAll(/`([a-z_0-9]+)`/g), ([, label = '']) => label)]]
        : [],
    ),
  );
}

/** A recording rule has its own labels, those that it groups by, and those of recording rules that it reads. */
function recorded(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { record, labels = {}, expr } of rows()) {
    const { groupings, selectors } = parseQuery(expr);
    const inherited = selectors.flatMap(({ metric }) => found.get(metric) ?? []);
    const own = [...Object.keys(labels), ...groupings.map(({ label }) => label)];
    found.set(record, [...(found.get(record) ?? []), ...own, ...inherited]);
  }
  return found;
}

const rows = () => rules.flatMap(({ record, ...rest }) => (record ? [{ record, ...rest }] : []));

const services = exposed();
const recordings = recorded();

/** Returns the labels of a metric, or undefined if no service, rule or listed program exposes it. */
export function labelsOf(metric: string): string[] | undefined {
  const other = external[metric] ?? recordings.get(metric);
  if (other) return other;
  const [, base = metric, suffix] = /^(.+)_(bucket|sum|count)$/.exec(metric) ?? [];
  const labels = services.get(metric) ?? services.get(base);
  return labels && [...target, ...labels, ...(suffix === 'bucket' ? ['le'] : [])];
}
