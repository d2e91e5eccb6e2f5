import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { alertLimits } from '@parley/deployment/limits';
import { backupAge, platformLimits } from '../rules/causes.ts';
import { duration } from '../rules/rule.ts';
import { board } from './board.ts';
import { graph } from './panels.ts';

const { unnumberedAge, consumerLag, figuresAge } = alertLimits;
const { backupSeconds, certificateSeconds } = platformLimits;

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
  graph({ title: 'Statements that wait', description: 'By process.' }, [
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
      description: `Normally below 20 seconds. An alert pages after ${duration(unnumberedAge.value)}.`,
      unit: 's',
      limit: unnumberedAge.value,
    },
    ['max(parley_events_unnumbered_age_seconds)', 'oldest event'],
  ),
  graph(
    {
      title: 'Messages behind',
      description: 'Messages that a consumer has not acknowledged. The stream holds 10,000.',
      limit: consumerLag.value,
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
      description: `Time since asOf. Normally below ten seconds. An alert warns after ${duration(figuresAge.value)}.`,
      unit: 's',
      limit: figuresAge.value,
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
      description: `Metrics of CloudNativePG, absent without it. An alert warns after ${duration(backupSeconds)}.`,
      unit: 's',
      span: 12,
      limit: backupSeconds,
    },
    [backupAge, '{{namespace}} {{cluster}}'],
  ),
  graph(
    {
      title: 'Time until certificates expire',
      description: `Metrics of cert-manager, absent without it. An alert warns at ${duration(certificateSeconds)}.`,
      unit: 's',
      span: 12,
    },
    ['certmanager_certificate_expiration_timestamp_seconds - time()', '{{namespace}} {{name}}'],
  ),
];
