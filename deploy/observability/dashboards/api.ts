import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { duration } from '../rules/rule.ts';
import { sloSeconds } from '../rules/slos.ts';
import { board } from './board.ts';
import { graph } from './panels.ts';

const calls = 'http_route=~"/(public/)?v1/.+"';
const answered = `${calls}, http_route!~".+/conversations/[^/]+"`;
const requests = 'http_server_request_duration_seconds';

/** Builds the dashboard of the gateway's API: calls, errors by cause, durations by route. */
export const api = (): Dashboard =>
  board({
    name: 'api',
    title: 'API',
    description: 'Calls of the gateway: how many, which fail and why, and how long they take.',
    rows: [
      { title: 'Calls', panels: volume() },
      { title: 'Errors', panels: errors() },
      { title: 'Durations', panels: durations() },
    ],
  });

const volume = () => [
  graph({ title: 'Calls by status', description: 'Calls without probes.', unit: 'reqps' }, [
    `sum by (http_response_status_code) (rate(${requests}_count{${calls}}[$__rate_interval]))`,
    '{{http_response_status_code}}',
  ]),
  graph({ title: 'Calls by route', description: 'The ten most called routes.', unit: 'reqps' }, [
    `topk(10, sum by (http_request_method, http_route) (rate(${requests}_count{${calls}}[$__rate_interval])))`,
    '{{http_request_method}} {{http_route}}',
  ]),
  graph({ title: 'Open long polls', description: 'Browsers that wait for an entry, by gateway.' }, [
    'sum by (instance) (parley_gateway_polls_open)',
    '{{instance}}',
  ]),
];

const errors = () => [
  graph(
    {
      title: '5xx by route',
      description: 'They use up the budget of api-availability.',
      unit: 'reqps',
    },
    [
      `sum by (http_request_method, http_route) (
        rate(${requests}_count{${calls}, http_response_status_code=~"5.."}[$__rate_interval]))`,
      '{{http_request_method}} {{http_route}}',
    ],
  ),
  graph(
    {
      title: 'Errors by type',
      description: 'The types are those of docs/errors.md.',
      unit: 'reqps',
    },
    [
      `sum by (type, http_response_status_code) (rate(parley_gateway_errors_total[$__rate_interval])) > 0`,
      '{{http_response_status_code}} {{type}}',
    ],
  ),
  graph(
    {
      title: '401, 409 and 429',
      description: 'Wrong credentials, lost races and limits. A jump of one is a client or an attack.',
      unit: 'reqps',
    },
    [
      `sum by (http_response_status_code) (
        rate(parley_gateway_errors_total{http_response_status_code=~"401|409|429"}[$__rate_interval]))`,
      '{{http_response_status_code}}',
    ],
  ),
];

const quantile = (value: number, selector: string, by = ''): string =>
  `histogram_quantile(${value}, sum by (${by}le) (rate(${requests}_bucket{${selector}}[$__rate_interval])))`;

const durations = () => [
  graph(
    {
      title: 'Durations',
      description: `Long polls are left out. The objective is ${duration(sloSeconds.apiLatency)}.`,
      unit: 's',
      limit: sloSeconds.apiLatency,
      exemplars: true,
    },
    [quantile(0.5, answered), '50 %'],
    [quantile(0.95, answered), '95 %'],
    [quantile(0.99, answered), '99 %'],
  ),
  graph({ title: 'Slowest routes', description: '99th percentile of the ten slowest routes.', unit: 's' }, [
    `topk(10, ${quantile(0.99, answered, 'http_request_method, http_route, ')})`,
    '{{http_request_method}} {{http_route}}',
  ]),
  graph(
    {
      title: 'Conversation turns',
      description: `Messages of customers. The objective is ${duration(sloSeconds.conversationTurn)}.`,
      unit: 's',
      limit: sloSeconds.conversationTurn,
      exemplars: true,
    },
    [quantile(0.5, 'http_request_method="POST", http_route=~".+/conversations/[^/]+/messages"'), '50 %'],
    [quantile(0.99, 'http_request_method="POST", http_route=~".+/conversations/[^/]+/messages"'), '99 %'],
  ),
];
