import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { alertLimits } from '@parley/deployment/limits';
import { duration } from '../rules/rule.ts';
import { sloSeconds } from '../rules/slos.ts';
import { board } from './board.ts';
import { graph } from './panels.ts';

/** Builds the dashboard of webhook delivery: attempts, delays, faults of ours, receivers. */
export const webhooks = (): Dashboard =>
  board({
    name: 'webhooks',
    title: 'Webhook delivery',
    description: 'Attempts and their outcomes, delays, faults on our side, and receivers that fail.',
    rows: [
      { title: 'Attempts', panels: attempts() },
      { title: 'Our part', panels: ours() },
      { title: 'Receivers', panels: receivers() },
    ],
  });

const attempts = () => [
  graph(
    { title: 'Attempts by outcome', description: 'retry and failed are failures of receivers.', unit: 'ops' },
    ['sum by (outcome) (rate(parley_webhook_attempts_total[$__rate_interval]))', '{{outcome}}'],
  ),
  graph(
    {
      title: 'Failed attempts by error',
      description: 'The errors are those of the delivery log.',
      unit: 'ops',
    },
    [
      'sum by (error_type) (rate(parley_webhook_attempts_total{outcome!="succeeded"}[$__rate_interval]))',
      '{{error_type}}',
    ],
  ),
  graph(
    {
      title: 'Durations of attempts',
      description: 'Until the receiver has answered. An attempt times out after 20 seconds.',
      unit: 's',
      exemplars: true,
    },
    [quantile(0.5, 'parley_webhook_attempt_duration_seconds'), '50 %'],
    [quantile(0.99, 'parley_webhook_attempt_duration_seconds'), '99 %'],
  ),
];

const ours = () => [
  graph(
    {
      title: 'From completion to first attempt',
      description: `The objective is ${duration(sloSeconds.firstAttempt)}. Receivers that are slow or fail are left out.`,
      unit: 's',
      limit: sloSeconds.firstAttempt,
      exemplars: true,
    },
    [quantile(0.5, 'parley_webhook_first_attempt_delay_seconds', 'responsive="true"'), '50 %'],
    [quantile(0.99, 'parley_webhook_first_attempt_delay_seconds', 'responsive="true"'), '99 %'],
  ),
  graph(
    {
      title: 'Oldest due delivery',
      description: `Of those that could be sent. An alert pages after ${duration(alertLimits.oldestDueAge.value)}.`,
      unit: 's',
      limit: alertLimits.oldestDueAge.value,
    },
    ['max(parley_webhook_oldest_due_age_seconds)', 'oldest'],
  ),
  graph(
    {
      title: 'Attempts that a fault of ours prevented',
      description: 'They use up the budget of own-faults. Deliveries wait and lose no attempt.',
      unit: 'ops',
    },
    [
      'sum by (instance, error_type) (rate(parley_webhook_own_faults_total[$__rate_interval]))',
      '{{instance}} {{error_type}}',
    ],
  ),
];

const receivers = () => [
  graph(
    {
      title: 'Replicas that can send',
      description: 'Below 1, proxy, DNS or file descriptors are unavailable.',
    },
    ['min by (instance) (parley_webhook_egress_up)', '{{instance}}'],
  ),
  graph(
    {
      title: 'Lanes that wait for their receiver',
      description: 'Open breakers and paused lanes: the receivers fail or asked for a pause.',
    },
    ['sum(parley_webhook_breakers_open)', 'open breakers'],
    ['sum(parley_webhook_lanes_paused)', 'paused lanes'],
  ),
  graph(
    {
      title: 'Webhooks that fail for days',
      description: 'Warnings before a deactivation, and deactivations.',
    },
    ['sum by (share) (increase(parley_webhook_failing_total[$__rate_interval]))', 'warning at {{share}}'],
    ['sum(increase(parley_webhook_disabled_total[$__rate_interval]))', 'deactivated'],
  ),
];

function quantile(share: number, histogram: string, matchers = ''): string {
  return `histogram_quantile(${share}, sum by (le) (rate(${histogram}_bucket{${matchers}}[$__rate_interval])))`;
}
