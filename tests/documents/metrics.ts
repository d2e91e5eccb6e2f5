import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createNoopMeter, type MetricOptions } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { type DatabaseService, databaseServices, services } from '@parley/contracts/services';
import * as events from '@parley/events/metrics';
import { natsConnected } from '@parley/nats/metrics';
import * as postgres from '@parley/postgres/metrics';
import * as rpc from '@parley/rpc/metrics';
import type { MetricDefinition } from '@parley/runtime/metrics/metrics';
import * as ofProcess from '@parley/runtime/metrics/process-metrics';
import { prometheusName } from '@parley/runtime/metrics/prometheus-name';
import * as gatewayHttp from '../../services/gateway/src/http/server/metrics.ts';
import * as gatewayLimits from '../../services/gateway/src/limits/metrics.ts';
import { wrapped } from './wrapped.ts';

const root = resolve(import.meta.dirname, '../..');

/** Returns the definitions of the metrics that a module declares. */
function declaredIn(module: object): MetricDefinition[] {
  return Object.values(module)
    .flatMap((one: { definition?: MetricDefinition }) => one.definition ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

// Only the service that declares the stream has its metrics.
const { streamMessages, streamReplicas, streamSize, ...ofConsumers } = events;
const ofStream = { streamMessages, streamReplicas, streamSize };

/** The attributes of the metrics that have any. The tests of the whole system compare them with what is served. */
const attributesOf: Record<string, string> = {
  'nodejs.eventloop.time': 'nodejs.eventloop.state',
  'v8js.gc.duration': 'v8js.gc.type',
  'v8js.memory.heap.space.available_size': 'v8js.heap.space.name',
  'v8js.memory.heap.space.physical_size': 'v8js.heap.space.name',
  'v8js.memory.heap.space.size': 'v8js.heap.space.name',
  'v8js.memory.heap.used': 'v8js.heap.space.name',
  'v8js.resource.active': 'v8js.resource.type',
};

/** Returns the metrics in `metrics.ts` of a service, and the metrics of its part in the stream. */
async function groupOf(name: DatabaseService): Promise<[title: string, definitions: MetricDefinition[]]> {
  const file = resolve(root, 'services', name, 'src/metrics.ts');
  const own = existsSync(file) ? declaredIn((await import(file)) as object) : [];
  return [titleOf([name]), [...own, ...(services[name].bus.declaresStream ? declaredIn(ofStream) : [])]];
}

function titleOf(names: readonly string[]): string {
  const all = names.join(' and ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)} service`;
}

/** The metrics by who has them, as headings name it. */
const groups: [title: string, definitions: MetricDefinition[]][] = [
  ['Gateway', [...declaredIn(gatewayHttp), ...declaredIn(gatewayLimits)]],
  ...(await Promise.all(databaseServices.map(groupOf))).filter(([, definitions]) => definitions.length > 0),
  [titleOf(databaseServices.filter((name) => services[name].bus.consumesEvents)), declaredIn(ofConsumers)],
  ['Calls between processes', declaredIn(rpc)],
  ['NATS, all but the customer service', [natsConnected.definition]],
  ['Database, all but the gateway', declaredIn(postgres)],
  ['Every process', [...declaredIn(ofProcess), ...runtimeMetrics()]],
];

/** A metric as Prometheus shows it. */
export interface DocumentedMetric {
  /** Without the suffixes `_bucket`, `_sum` and `_count`. */
  name: string;
  kind: MetricDefinition['kind'];
  labels: string[];
  /** Upper bounds of the buckets, if the code declares them. */
  boundaries: readonly number[] | undefined;
}

export function documentedMetrics(): DocumentedMetric[] {
  return groups.flatMap(([, definitions]) => definitions.map(documented));
}

function documented(definition: MetricDefinition): DocumentedMetric {
  const labels = (definition.attributes ?? []).map((attribute) => attribute.replaceAll('.', '_'));
  const { kind, boundaries } = definition;
  return { name: prometheusName(definition, kind), kind, labels, boundaries };
}

export function metricsDocument(): string {
  const sections = groups.map(([title, definitions]) =>
    [`## ${title}`, '', ...definitions.flatMap((definition) => wrapped(entryOf(definition)))].join('\n'),
  );
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

const introduction = `# Metrics

Generated from the code by \`npm run generate\`. [Observe](operations/observe.md#metrics) says how to export them.

Each entry has the name in Prometheus, then the type, and the name and unit in OpenTelemetry. Labels are OpenTelemetry's
attributes with \`_\` for dots. No label holds an id, a token or text of a client, but for \`interaction_type\`: the
\`type\` of a bot. Health checks are not measured.
A metric has at most 2,000 series: the last one, with \`otel_metric_overflow\`, counts what has further labels.
\`target_info\` has the service, version, host and \`service_instance_id\` of the process.

| label | values |
|---|---|
| \`http_route\` | pattern of the path; \`*\` if unknown |
| \`error_type\` of requests | slug of a 5xx; \`client-disconnected\`, without a status, if the client left first |
| \`type\` | slug of the error, see [errors](errors.md); \`_OTHER\` for pages |
| \`event\` | \`created\`, \`started\`, \`completed\` or \`expired\` |
| \`interaction_type\` | the \`type\` that the bot states; \`_OTHER\` beyond 200 types |
| \`error_type\` of calls | the gRPC status, if HTTP would answer 500 or more; absent for other errors |
| \`error_type\` of attempts | see [webhooks](webhooks.md) |
| \`error_type\` of own faults | \`egress\`: nothing can be sent; \`defect\`: this delivery cannot |
| \`responsive\` | \`false\`: the receiver is slow or its breaker open, so it may have caused the delay |`;

function entryOf(definition: MetricDefinition): string {
  const { name, labels } = documented(definition);
  const otherName = `\`${definition.name}\``;
  const facts = [definition.kind, otherName, definition.unit && `\`${definition.unit}\``].filter(Boolean);
  const withLabels = labels.length > 0 ? ` Labels: ${labels.map((label) => `\`${label}\``).join(', ')}.` : '';
  return `- **\`${name}\`** (${facts.join(', ')}): ${definition.description}.${withLabels}`;
}

/** Returns the metrics of Node that OpenTelemetry's instrumentation declares. */
function runtimeMetrics(): MetricDefinition[] {
  const found: MetricDefinition[] = [];
  const declare =
    <Instrument>(kind: MetricDefinition['kind'], instrument: Instrument) =>
    (name: string, { unit = '', description = '' }: MetricOptions = {}): Instrument => {
      const attribute = attributesOf[name];
      const attributes = attribute === undefined ? [] : [attribute];
      found.push({ kind, name, unit, description: description.replace(/\.$/, ''), attributes });
      return instrument;
    };
  const meter = createNoopMeter();
  meter.createHistogram = declare('histogram', meter.createHistogram(''));
  meter.createObservableCounter = declare('counter', meter.createObservableCounter(''));
  meter.createObservableGauge = declare('gauge', meter.createObservableGauge(''));
  meter.createObservableUpDownCounter = declare('gauge', meter.createObservableUpDownCounter(''));
  const instrumentation = new RuntimeNodeInstrumentation();
  instrumentation.setMeterProvider({ getMeter: () => meter });
  instrumentation.disable();
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
