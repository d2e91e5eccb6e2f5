import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { alertLimits } from '@parley/deployment/limits';
import { duration } from '../rules/rule.ts';
import { burnRates, inWords } from '../rules/slos.ts';
import { board } from './board.ts';
import { figures, graph, table } from './panels.ts';

/** Builds the dashboard to open first: SLOs, alerts, and whether the processes run. */
export const overview = (): Dashboard =>
  board({
    name: 'overview',
    title: 'Overview',
    description: 'SLOs, alerts that fire, and whether the processes run. Open it first.',
    rows: [
      { title: 'SLOs', panels: slos() },
      { title: 'Now', panels: state() },
      { title: 'Load', panels: load() },
    ],
  });

const slos = () => [
  figures(
    {
      title: 'Error budget that is left',
      description: 'Of 30 days. Below zero, the SLO is missed.',
      unit: 'percentunit',
      least: 0,
    },
    ['1 - slo:parley_burn_rate:30d', '{{slo}}'],
  ),
  ...burnRates
    .filter(({ severity }) => severity === 'page')
    .map(({ rate, long }) =>
      graph(
        {
          title: `Burn rate over ${inWords(long)}`,
          description: `At 1 the budget lasts 30 days. From ${rate} on, an alert pages.`,
          span: 12,
          limit: rate,
        },
        [`slo:parley_burn_rate:${long}`, '{{slo}}'],
      ),
    ),
];

const state = () => [
  table(
    { title: 'Alerts that fire', description: 'Each has a runbook in deploy/observability/runbooks.' },
    'max by (alertname, severity, slo, job, instance) (ALERTS{alertname=~"Parley.+", alertstate="firing"})',
  ),
  graph({ title: 'Processes', description: 'Processes that answer scrapes, by service.', span: 6 }, [
    'sum by (job) (up{job=~"$job"})',
    '{{job}}',
  ]),
  table(
    { title: 'Versions', description: 'Releases that run now. During a release there are two.', span: 6 },
    'count by (service_name, service_version) (target_info{job=~"$job"})',
  ),
];

const load = () => [
  graph(
    { title: 'Calls', description: 'Calls of the API without probes.', unit: 'reqps' },
    ['slo:parley_events:rate5m{slo="api-availability"}', 'all'],
    ['slo:parley_bad_events:rate5m{slo="api-availability"}', '5xx'],
  ),
  graph(
    {
      title: 'Interactions',
      description: 'Interactions that were created, started, completed or expired in an hour.',
    },
    ['sum by (event) (increase(parley_interactions_total[1h]))', '{{event}}'],
  ),
  graph(
    {
      title: 'Reach',
      description:
        'Presses of the button of open links by outcome, and offers that a contact policy refused, in an hour.',
    },
    ['sum by (outcome) (increase(parley_gateway_open_links_starts_total[1h]))', 'start: {{outcome}}'],
    ['sum(increase(parley_offers_refused_total[1h]))', 'refused offer'],
  ),
  graph({ title: 'Attempts', description: 'Attempts of webhook deliveries, by outcome.', unit: 'ops' }, [
    'sum by (outcome) (rate(parley_webhook_attempts_total[$__rate_interval]))',
    '{{outcome}}',
  ]),
  graph(
    {
      title: 'Waiting events and deliveries',
      description:
        'Age of the oldest event that the webhook service should have handled, and of the oldest due delivery. ' +
        `An alert pages after ${duration(alertLimits.oldestDueAge.value)}.`,
      unit: 's',
      limit: alertLimits.oldestDueAge.value,
    },
    ['max(parley_consumer_cursor_age_seconds{durable="webhook"})', 'oldest event'],
    ['max(parley_webhook_oldest_due_age_seconds)', 'oldest due delivery'],
  ),
];
