import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  addressVariable,
  type DatabaseService,
  databaseServices,
  operatorPorts,
  type ServiceName,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { withLines } from './generated-part.ts';

/** Values of settings that are not the variable of the same name. */
const values: Record<string, string> = {
  LANDING_URL: '${LANDING_URL:-http://localhost:${PORT:-3000}}',
  // The balancer, and the reverse proxies in front of it. Without them, all clients count as one address.
  TRUSTED_PROXIES: '${EDGE_SUBNET:-10.213.17.0/24},${TRUSTED_PROXIES:-}',
};
const root = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string };
const none: string[] = [];

/** Returns deploy/compose.yaml with the containers, passwords and ports of the services. */
export function composeDocument(text: string): string {
  const blocks = serviceNames.flatMap((name) => ['', ...blockOf(name)]);
  const withPasswords = withLines(text, 'Passwords of services', passwords());
  const withPorts = withLines(withPasswords, 'Ports of services', ports());
  return withLines(withPorts, 'Containers of services', [...blocks.slice(1), '']);
}

function passwords(): string[] {
  const line = (name: string): string => `  ${name}: \${${name}:-}`;
  return [
    'x-nats-passwords: &nats-passwords',
    ...serviceNames.map((name) => line(`NATS_${name.toUpperCase()}_PASSWORD`)),
    'x-postgres-passwords: &postgres-passwords',
    ...databaseServices.map((name) => line(`${name.toUpperCase()}_PASSWORD`)),
  ];
}

function ports(): string[] {
  return operatorPorts.map(
    ([name, port]) => `      - '127.0.0.1:\${${name.toUpperCase()}_PORT:-${port}}:${port}'`,
  );
}

/** Returns deploy/haproxy.cfg with the services that the command line calls. */
export function balancerDocument(text: string): string {
  const listeners = operatorPorts.map(([name, port]) => [
    `listen ${name}`,
    `  bind :${port}`,
    `  server-template ${name} 1-20 ${name}:50051 check inter 2s resolvers engine init-addr none`,
    '',
  ]);
  return withLines(text, 'Ports of services', listeners.flat());
}

function blockOf(name: ServiceName): string[] {
  const { isOptional, hasSchema } = services[name];
  return [
    ...(isOptional
      ? [
          `  # A deployment may leave it out: \`up --scale ${name}=0\`, with an empty ${name.toUpperCase()}_ADDRESS.`,
        ]
      : none),
    `  ${name}:`,
    `    <<: *${hasSchema ? 'service' : 'gateway'}`,
    `    volumes: [*ca, { <<: *secrets, source: "\${SECRETS_FOLDER:-/dev/null}\${SECRETS_FOLDER:+/${name}}" }]`,
    `    image: \${REGISTRY:-localhost}/parley-${name}:\${VERSION:-${version}}`,
    `    build: { <<: *build, args: { <<: *build-arguments, SERVICE: ${name} } }`,
    '    networks:',
    ...networksOf(name).map((network) => `      - ${network}`),
    ...(hasSchema ? none : dependenciesOf(name)),
    '    environment:',
    ...environmentOf(name).map((line) => `      ${line}`),
  ];
}

/** A URL of an external server replaces the network of a store by the one outside. */
function networksOf(name: ServiceName): string[] {
  const { hasSchema, operatorPort, outside } = services[name];
  const upper = name.toUpperCase();
  const store = (kind: string, network: string): string =>
    `'\${${upper}_${kind}_URL:+outside-}\${${upper}_${kind}_OUTSIDE:+outside-}${network}'`;
  return [
    ...(hasSchema ? none : ['edge']),
    'calls',
    ...(operatorPort === undefined ? none : ['operator']),
    ...(outside === 'always' ? ['outside'] : none),
    ...(outside instanceof Object ? [`'\${${outside.ifSet}:+outside-}${outside.network}'`] : none),
    ...(hasSchema ? [store('DATABASE', 'data')] : none),
    store('NATS', 'bus'),
    "'${PARLEY_OTEL_EXPORTER_OTLP_ENDPOINT:+outside-}telemetry'",
  ];
}

/** The gateway starts without the services and serves when they answer. */
function dependenciesOf(name: ServiceName): string[] {
  const needed = services[name].calls.filter((callee) => !services[callee].isOptional);
  return [
    '    depends_on:',
    '      nats: { condition: service_healthy }',
    ...needed.map((callee) => `      ${callee}: { condition: service_started }`),
  ];
}

function environmentOf(name: ServiceName): string[] {
  const { calls, hasSchema, keyrings, optionalSecrets = [], settings = [] } = services[name];
  const upper = name.toUpperCase();
  const secret = (variable: string, given: string): string[] => [
    `${variable}: ${given}`,
    `${variable}_FILE: \${SECRETS_FOLDER:+/run/secrets/${variable}}`,
  ];
  const url = `\${${upper}_PASSWORD:+postgres://parley_${name}:\${${upper}_PASSWORD}@\${POSTGRES_HOST:-postgres}:5432/parley}`;
  const optional = (variable: string): string => `${variable}: \${${variable}:-}`;
  const natsPassword = `NATS_${upper}_PASSWORD`;
  return [
    `<<: *${hasSchema ? 'owner' : 'environment'}`,
    ...secret('RPC_TOKEN', `\${${upper}_RPC_TOKEN:-\${RPC_TOKEN:-}}`),
    `LISTEN: 0.0.0.0:${hasSchema ? 50_051 : 3_000}`,
    ...(hasSchema
      ? [
          ...secret('DATABASE_URL', `"\${${upper}_DATABASE_URL:-\\\n        ${url}}"`),
          `MIGRATION_DATABASE_URL: \${${upper}_MIGRATION_DATABASE_URL:-}`,
          `MIGRATION_DATABASE_URL_FILE: \${${upper}_MIGRATION_DATABASE_URL_FILE:-}`,
        ]
      : none),
    ...secret(
      'NATS_URL',
      `\${${upper}_NATS_URL:-\${${natsPassword}:+nats://${name}:\${${natsPassword}}@nats:4222}}`,
    ),
    ...calls.map((callee) => `${addressVariable(callee)}: ${addressOf(callee)}`),
    ...Object.keys(keyrings).flatMap((variable) => secret(variable, keyringOf(variable, upper))),
    ...settings.map((variable) =>
      values[variable] ? `${variable}: ${values[variable]}` : optional(variable),
    ),
    ...optionalSecrets.flatMap((variable) => [optional(variable), optional(`${variable}_FILE`)]),
  ];
}

/** An empty address leaves an optional service out. */
function addressOf(name: DatabaseService): string {
  const address = `dns:///${name}:50051`;
  return services[name].isOptional ? `\${${addressVariable(name)}-${address}}` : address;
}

/** Several services have a keyring of this name, so the file of variables names the service. */
function keyringOf(variable: string, upper: string): string {
  const shared = `\${${variable}:-}`;
  return variable === 'ENCRYPTION_KEYS' ? `\${${upper}_${variable}:-${shared}}` : shared;
}
