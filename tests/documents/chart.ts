import {
  databaseServices,
  optionalServices,
  ownSettingsOf,
  secretSettings,
  type ServiceName,
  services,
} from '@parley/contracts/services';
import { withLines } from './generated-part.ts';

const list = (names: readonly string[]): string => `[${names.join(', ')}]`;
const gatewayFirst: ServiceName[] = ['gateway', ...databaseServices];

/** Returns deploy/chart/files/services.yaml, which the templates read. */
export function chartServices(): string {
  return [
    '# Generated from packages/contracts/src/services.ts by `npm run generate`.',
    `secretSettings: ${list(secretSettings)}`,
    'services:',
    ...gatewayFirst.map((name) => {
      const { calls, hasSchema, isOptional = false, settings = [] } = services[name];
      const port = hasSchema ? 50_051 : 3_000;
      const unread = list(hasSchema ? [] : ['RPC_CALLERS']);
      const isLinking = settings.includes('LANDING_URL');
      return `  ${name}: { port: ${port}, calls: ${list(calls)}, unread: ${unread}, isLinking: ${isLinking}, isOptional: ${isOptional} }`;
    }),
    '',
  ].join('\n');
}

/** Returns deploy/chart/values.yaml with the release, the optional services and the Secrets of the services. */
export function chartValues(text: string): string {
  const release = [
    `release: ${list(gatewayFirst)}`,
    '',
    '# Whether there is this service. Without it, its calls answer 404. Its role and schema, its user of NATS and its Secret',
    '# must exist first. All releases of a Parley need the same value.',
    ...optionalServices.flatMap((name) => [`${name}:`, '  enabled: false']),
  ];
  const secrets = gatewayFirst.flatMap((name) => [
    `  ${name}:`,
    '    secrets:',
    ...[
      'RPC_TOKEN',
      'NATS_URL',
      ...(services[name].hasSchema ? ['DATABASE_URL'] : []),
      ...keyringsOf(name),
    ].map((variable) => `      ${variable}: { name: parley-${name}, key: ${variable} }`),
  ]);
  return withLines(withLines(text, 'Services of the release', release), 'Secrets of services', secrets);
}

const keyringsOf = (name: ServiceName): string[] => Object.keys(services[name].keyrings);

/** The standard variables of OpenTelemetry that its SDK reads for traces and metrics. Logs go to standard output. */
const telemetryVariables = `OTEL_(${[
  'SDK_DISABLED|SERVICE_NAME|RESOURCE_ATTRIBUTES|NODE_RESOURCE_DETECTORS|PROPAGATORS|LOG_LEVEL',
  '(TRACES|METRICS|LOGS)_EXPORTER|TRACES_SAMPLER(_ARG)?|METRIC_EXPORT_(INTERVAL|TIMEOUT)',
  'BSP_(SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)',
  '(SPAN_)?ATTRIBUTE_(COUNT|VALUE_LENGTH)_LIMIT|(SPAN_EVENT|SPAN_LINK|EVENT_ATTRIBUTE|LINK_ATTRIBUTE)_COUNT_LIMIT',
  'EXPORTER_OTLP_((TRACES|METRICS)_)?(ENDPOINT|HEADERS|PROTOCOL|TIMEOUT|COMPRESSION|INSECURE)',
  'EXPORTER_OTLP_((TRACES|METRICS)_)?(CERTIFICATE|CLIENT_CERTIFICATE|CLIENT_KEY)',
  'EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
].join('|')})`;

/** A part of a JSON Schema. */
type Part = Record<string, unknown>;

interface ChartSchema {
  required: string[];
  properties: Record<string, Part>;
  definitions: Record<string, Part>;
}

/** Returns deploy/chart/values.schema.json with the names of the services and the variables that each reads. */
export function chartSchema(text: string): string {
  const schema = JSON.parse(text) as ChartSchema;
  const { properties, definitions } = schema;
  const isOfService = (name: string): boolean =>
    properties[name]?.['$ref'] === '#/definitions/optionalService';
  for (const name of Object.keys(properties).filter(isOfService)) delete properties[name];
  for (const name of optionalServices) properties[name] = { $ref: '#/definitions/optionalService' };
  schema.required = ['namePrefix', 'release', ...optionalServices, 'landingUrl', 'defaults', 'services'];
  Object.assign(properties['release'] ?? {}, { items: { enum: gatewayFirst } });
  Object.assign(properties['services'] ?? {}, {
    required: gatewayFirst,
    properties: Object.fromEntries(gatewayFirst.map((name) => [name, settingsOf(name)])),
  });
  Object.assign(properties['addresses'] ?? {}, {
    properties: Object.fromEntries(databaseServices.map((name) => [name, { $ref: '#/definitions/address' }])),
  });
  Object.assign(definitions['env'] ?? {}, {
    patternProperties: { [`^${telemetryVariables}$`]: { type: 'string' } },
  });
  Object.assign(definitions['secrets'] ?? {}, {
    propertyNames: { pattern: `^(${[...secretSettings, telemetryVariables].join('|')})$` },
  });
  return `${jsonLines(schema)}\n`;
}

/** What the values of one service may have: what all services have, and the variables that it reads. */
function settingsOf(name: ServiceName): Part {
  const { hasSchema } = services[name];
  const own = ownSettingsOf(name).filter((variable) => !ofTheChart.has(variable));
  const ofOwners = hasSchema ? ['MIGRATE_ON_START', 'AUDIT_RETENTION_DAYS'] : [];
  const pattern = `^(${['LOG_LEVEL', 'OTEL_[A-Z0-9_]+', ...ofOwners, ...own].join('|')})$`;
  return {
    allOf: [{ $ref: '#/definitions/settings' }],
    properties: { env: { propertyNames: { pattern } } },
  };
}

/** Values of their own have them. */
const ofTheChart = new Set(['LANDING_URL']);

/** Returns JSON in which a value that fits into a line is one line. */
function jsonLines(value: unknown, indent = '', before = 0): string {
  const line = inline(value);
  if (typeof value !== 'object' || value === null || indent.length + before + line.length <= 120) return line;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((one) => jsonLines(one, inner))
    : Object.entries(value).map(([key, one]) => {
        const name = `${JSON.stringify(key)}: `;
        return `${name}${jsonLines(one, inner, name.length + 1)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}
