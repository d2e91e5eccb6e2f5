import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { board } from './board.ts';
import { graph } from './panels.ts';

/** Builds the dashboard of what holds and moves data: database pools, NATS, events, backups. */
export const data = (): Dashboard =>
  board({
    name: 'data',
    title: 'Data',
    description: 'Database connections, NATS, events and backups.',
    rows: [
      { title: 'Database connections', panels: pools() },
      { title: 'Events', panels: events() },
      { title: 'Figures of bots', panels: figures() },
      { title: 'Backups and certificates', panels: platform() },
    ],
  });

const pools = () => [
  graph(
    {
      title: 'Connections in use',
      description: 'Share of the connections that a process may open.',
      unit: 'percentunit',
    },
    [
      `sum by (job, instance) (db_client_connection_count{job=~"$job", db_client_connection_state="used"})
        / sum by (job, instance) (db_client_connection_max{job=~"$job"})`,
      '{{job}} {{instance}}',
    ],
  ),
  graph({ title: 'Statements that wait', description: 'If some wait for five minutes, an alert warns.' }, [
    'db_client_connection_pending_requests{job=~"$job"}',
    '{{job}} {{instance}}',
  ]),
  graph({ title: 'Wait for a connection', description: '99th percentile, by service.', unit: 's' }, [
    `histogram_quantile(0.99, sum by (job, le) (
        rate(db_client_connection_wait_time_seconds_bucket{job=~"$job"}[$__rate_interval])))`,
    '{{job}}',
  ]),
];

const events = () => [
  graph(
    {
      title: 'Oldest event without a place in the log',
      description: 'Normally below 20 seconds. A minute pages.',
      unit: 's',
      limit: 60,
    },
    ['max(parley_events_unnumbered_age_seconds)', 'oldest event'],
  ),
  graph(
    {
      title: 'Messages behind',
      description: 'Messages that a consumer has not acknowledged. The stream holds 10,000.',
      limit: 1000,
    },
    ['max by (durable) (parley_consumer_lag)', '{{durable}}'],
  ),
  graph(
    { title: 'Connections to NATS', description: 'Share of the processes of a service that are connected.' },
    ['avg by (job) (parley_nats_connected{job=~"$job"})', '{{job}}'],
  ),
];

const figures = () => [
  graph(
    {
      title: 'Age of the figures',
      description: 'Time since asOf, of the insight service. Normally below ten seconds. Two minutes warn.',
      unit: 's',
      limit: 120,
    },
    ['min(parley_insight_as_of_age_seconds)', 'figures'],
  ),
  graph(
    {
      title: 'Calls for figures',
      description: 'Durations at the insight service.',
      unit: 's',
    },
    [
      `histogram_quantile(0.5, sum by (le) (
        rate(rpc_server_call_duration_seconds_bucket{job="parley-insight"}[$__rate_interval])))`,
      '50 %',
    ],
    [
      `histogram_quantile(0.99, sum by (le) (
        rate(rpc_server_call_duration_seconds_bucket{job="parley-insight"}[$__rate_interval])))`,
      '99 %',
    ],
  ),
  graph(
    {
      title: 'Build of all figures',
      description: 'Interactions that it has counted, of about so many. 0 while no build runs.',
    },
    ['max(parley_insight_rebuild_counted)', 'counted'],
    ['max(parley_insight_rebuild_total)', 'all'],
  ),
];

const platform = () => [
  graph(
    {
      title: 'Age of the last backup',
      description: 'Metrics of CloudNativePG, absent without it. An alert warns after 26 hours.',
      unit: 's',
      span: 12,
      limit: 26 * 3600,
    },
    [
      `time() - max by (namespace, cluster) (label_replace({__name__=~"cnpg_collector_last_available_backup_timestamp|barman_cloud_cloudnative_pg_io_last_available_backup_timestamp"},
        "cluster", "$1", "pod", "(.+)-[0-9]+"))`,
      '{{namespace}} {{cluster}}',
    ],
  ),
  graph(
    {
      title: 'Time until certificates expire',
      description: 'Metrics of cert-manager, absent without it. An alert warns at 14 days.',
      unit: 's',
      span: 12,
    },
    ['certmanager_certificate_expiration_timestamp_seconds - time()', '{{namespace}} {{name}}'],
  ),
];
