import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { processLimits } from '../rules/process-causes.ts';
import { duration } from '../rules/rule.ts';
import { board } from './board.ts';
import { graph } from './panels.ts';

/** Builds the dashboard of the processes: calls between services, Node's runtime, the language model. */
export const services = (): Dashboard =>
  board({
    name: 'services',
    title: 'Services',
    description: 'Calls between services, the runtime of each process, and the language model.',
    rows: [
      { title: 'Calls between services', panels: rpc() },
      { title: 'Shares of workspaces', panels: shares() },
      { title: 'Processes', panels: runtime() },
      { title: 'Language model', panels: model() },
    ],
  });

const rpc = () => [
  graph({ title: 'Calls by service', description: 'Calls that a service answered.', unit: 'reqps' }, [
    'sum by (job) (rate(rpc_server_call_duration_seconds_count{job=~"$job"}[$__rate_interval]))',
    '{{job}}',
  ]),
  graph(
    {
      title: 'Failed calls, as services see them',
      description: 'By method and status. UNAVAILABLE and DEADLINE_EXCEEDED are faults, NOT_FOUND is not.',
      unit: 'reqps',
    },
    [
      `sum by (rpc_method, rpc_response_status_code) (
        rate(rpc_server_call_duration_seconds_count{job=~"$job", rpc_response_status_code!="OK"}[$__rate_interval]))`,
      '{{rpc_method}} {{rpc_response_status_code}}',
    ],
  ),
  graph(
    {
      title: 'Failed calls, as callers see them',
      description: 'Failures that only callers see: the service does not answer.',
      unit: 'reqps',
    },
    [
      `sum by (job, rpc_method, rpc_response_status_code) (
        rate(rpc_client_call_duration_seconds_count{job=~"$job", rpc_response_status_code!="OK"}[$__rate_interval]))`,
      '{{job}}: {{rpc_method}} {{rpc_response_status_code}}',
    ],
  ),
  graph(
    {
      title: 'Slowest methods',
      description: '99th percentile of the ten slowest methods, without long polls.',
      unit: 's',
      span: 12,
      exemplars: true,
    },
    [
      `topk(10, histogram_quantile(0.99, sum by (job, rpc_method, le) (
        rate(rpc_server_call_duration_seconds_bucket{job=~"$job", rpc_method!~".+/GetConversation"}[$__rate_interval]))))`,
      '{{job}}: {{rpc_method}}',
    ],
  ),
  graph(
    {
      title: 'Way between caller and service',
      description: 'Mean duration at the caller minus that at the service: network, queue and retries.',
      unit: 's',
      span: 12,
    },
    [
      `sum by (rpc_method) (rate(rpc_client_call_duration_seconds_sum[$__rate_interval]))
        / sum by (rpc_method) (rate(rpc_client_call_duration_seconds_count[$__rate_interval]))
      - sum by (rpc_method) (rate(rpc_server_call_duration_seconds_sum[$__rate_interval]))
        / sum by (rpc_method) (rate(rpc_server_call_duration_seconds_count[$__rate_interval]))`,
      '{{rpc_method}}',
    ],
  ),
];

const shares = () => [
  graph({ title: 'Waiting work', description: 'By class. Work of different workspaces takes turns.' }, [
    'sum by (job, class) (parley_work_waiting{job=~"$job"})',
    '{{job}}: {{class}}',
  ]),
  graph(
    {
      title: 'Work that did not run',
      description:
        'busy: refused with 429. stuck: refused with 503. given_up: nobody waited for it any more.',
    },
    [
      'sum by (job, class, reason) (rate(parley_work_refused_total{job=~"$job"}[$__rate_interval]))',
      '{{job}}: {{class}} {{reason}}',
    ],
  ),
  graph({ title: 'Cancelled statements', description: 'Running statements whose caller gave up.' }, [
    'sum by (job) (rate(parley_postgres_statements_cancelled_total{job=~"$job"}[$__rate_interval]))',
    '{{job}}',
  ]),
];

const runtime = () => [
  graph(
    {
      title: 'Event loop delay',
      description: `99th percentile of each process. An alert warns from ${duration(processLimits.eventLoopDelaySeconds)} on.`,
      unit: 's',
      limit: processLimits.eventLoopDelaySeconds,
    },
    ['nodejs_eventloop_delay_p99_seconds{job=~"$job"}', '{{job}} {{instance}}'],
  ),
  graph(
    {
      title: 'Event loop utilization',
      description: 'Share of time in which the process computes. Near 1, add replicas.',
      unit: 'percentunit',
    },
    ['nodejs_eventloop_utilization_ratio{job=~"$job"}', '{{job}} {{instance}}'],
  ),
  graph({ title: 'Time in garbage collection', description: 'Share of time.', unit: 'percentunit' }, [
    'sum by (job, instance) (rate(v8js_gc_duration_seconds_sum{job=~"$job"}[$__rate_interval]))',
    '{{job}} {{instance}}',
  ]),
  graph({ title: 'Heap', description: 'Used heap of each process.', unit: 'bytes', span: 12 }, [
    'sum by (job, instance) (v8js_memory_heap_used_bytes{job=~"$job"})',
    '{{job}} {{instance}}',
  ]),
  graph({ title: 'Memory', description: 'Resident memory of each process.', unit: 'bytes', span: 12 }, [
    'process_memory_usage_bytes{job=~"$job"}',
    '{{job}} {{instance}}',
  ]),
];

const questions = 'gen_ai_client_operation_duration_seconds';

const model = () => [
  graph(
    {
      title: 'Questions',
      description: 'Questions to the language model, by error.',
      unit: 'reqps',
      span: 12,
    },
    [`sum by (error_type) (rate(${questions}_count[$__rate_interval]))`, '{{error_type}}'],
  ),
  graph(
    { title: 'Durations of questions', description: 'By model.', unit: 's', span: 12 },
    [
      `histogram_quantile(0.5, sum by (gen_ai_request_model, le) (rate(${questions}_bucket[$__rate_interval])))`,
      '{{gen_ai_request_model}} 50 %',
    ],
    [
      `histogram_quantile(0.99, sum by (gen_ai_request_model, le) (rate(${questions}_bucket[$__rate_interval])))`,
      '{{gen_ai_request_model}} 99 %',
    ],
  ),
];
