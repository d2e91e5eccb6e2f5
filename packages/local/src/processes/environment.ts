import { createHash } from 'node:crypto';
import { type CallerName, callerNames } from '@parley/contracts/method-access';
import {
  addressVariable,
  type DatabaseService,
  type KeyringName,
  ownSettingsOf,
  type ServiceName,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import { tokenOf, type Secrets } from '../files/secrets.ts';

export interface Layout {
  /** The variables that services inherit, from `inheritedEnvironment`. */
  inherited: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** The URL of the server's administrator. Services use the same server with their own roles. */
  adminUrl: string;
  database: string;
  natsUrlOf: (service: ServiceName) => string;
  streamReplicas: number | undefined;
  /** `host:port` each. */
  addresses: Record<ServiceName, string[]>;
  landingUrl: string;
  docsExamplesFile: string;
  demoFile: string;
  /** Where traces are shown. Undefined without `--traces`. */
  tracesUrl: string | undefined;
  allowPrivateWebhooks: boolean;
  /** Returns the certificate of a service. Undefined: calls between services are plain text. */
  certificateOf?: ((service: ServiceName) => RpcTlsFiles) | undefined;
  /** Delays between the attempts of a delivery, instead of the service's own. */
  webhookRetryScheduleSeconds?: readonly number[] | undefined;
}

/** Returns the environment of one process of a service, which listens at the address. */
export function environmentOf(service: ServiceName, listen: string, layout: Layout): NodeJS.ProcessEnv {
  const { inherited, secrets, addresses } = layout;
  const { hasSchema, calls, keyrings } = services[service];
  const keys = Object.entries(keyrings).map(([variable, name]) => [variable, secrets[name as KeyringName]]);
  return {
    ...ofOneRun[service],
    ...Object.fromEntries(Object.entries(inherited).filter(([name]) => isOf(service, name))),
    LISTEN: listen,
    RPC_TOKEN: tokenOf(secrets, service),
    NATS_URL: layout.natsUrlOf(service),
    PARLEY_EXIT_ON_STDIN_END: '1',
    ...tlsVariables(layout.certificateOf?.(service)),
    ...(hasSchema && ownerVariables(service as DatabaseService, layout)),
    ...Object.fromEntries(calls.map((name) => [addressVariable(name), grpcAddress(addresses[name])])),
    ...Object.fromEntries(keys),
    ...variablesOfRun(layout)[service],
  };
}

/** Returns whether a service gets an inherited variable: one that only other services read, it does not. */
function isOf(service: ServiceName, variable: string): boolean {
  const readers = serviceNames.filter((name) => ownSettingsOf(name).includes(variable));
  return readers.length === 0 || readers.includes(service);
}

function tlsVariables(files: RpcTlsFiles | undefined): NodeJS.ProcessEnv {
  if (!files) return {};
  return { RPC_TLS_CA_FILE: files.ca, RPC_TLS_CERT_FILE: files.cert, RPC_TLS_KEY_FILE: files.key };
}

/** Returns the variables of single services that are facts of the run. */
function variablesOfRun(layout: Layout): Partial<Record<ServiceName, NodeJS.ProcessEnv>> {
  const { streamReplicas, webhookRetryScheduleSeconds: schedule } = layout;
  return {
    interaction: {
      ...(streamReplicas !== undefined && { NATS_STREAM_REPLICAS: String(streamReplicas) }),
      LANDING_URL: layout.landingUrl,
    },
    webhook: {
      ALLOW_PRIVATE_WEBHOOKS: String(layout.allowPrivateWebhooks),
      ...(schedule ? { WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule.join(',') } : {}),
    },
    gateway: {
      LANDING_URL: layout.landingUrl,
      DOCS_EXAMPLES_FILE: layout.docsExamplesFile,
      DEMO_FILE: layout.demoFile,
      TRACES_URL: layout.tracesUrl,
    },
  };
}

/** Returns the gRPC target of a service: its only process, or a list that calls are balanced over. */
export function grpcAddress(addresses: readonly string[]): string {
  return addresses.length === 1 ? String(addresses[0]) : `ipv4:${addresses.join(',')}`;
}

const inheritedNames = new Set([
  'PATH',
  'HOME',
  'LANG',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'LOG_LEVEL',
  ...serviceNames.flatMap(ownSettingsOf),
]);

/**
 * Returns the variables that services inherit: search paths, options of Node, logging, telemetry and the settings of
 * services, without their keys. An empty variable counts as not set.
 */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isInherited = (name: string): boolean =>
    inheritedNames.has(name) ||
    // One service name for all services would hide the origin of a span.
    (name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME');
  const inherited = Object.entries(env).filter(([name, value]) => value && isInherited(name));
  return { LOG_LEVEL: 'info', TZ: 'UTC', ...Object.fromEntries(inherited) };
}

export function databaseUrlOf(
  service: DatabaseService,
  { adminUrl, database, secrets }: Pick<Layout, 'adminUrl' | 'database' | 'secrets'>,
): string {
  return serviceUrl(adminUrl, database, { name: service, password: secrets.passwords[service] });
}

function ownerVariables(service: DatabaseService, layout: Layout): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: databaseUrlOf(service, layout),
    RPC_CALLERS: callersOf(layout.secrets),
  };
}

/** Returns who calls, as services read it. None of them knows the token of another, or of the operator. */
function callersOf(secrets: Secrets): string {
  const digestOf = (name: CallerName): string =>
    createHash('sha256').update(tokenOf(secrets, name)).digest('hex');
  return callerNames.map((name) => `${name}:${digestOf(name)}`).join(',');
}

/** Defaults of single services, for one person whose scripts share one address and leave experiments behind. */
const ofOneRun: Partial<Record<ServiceName, NodeJS.ProcessEnv>> = {
  // Ten times as many as in a deployment, because tests share workspaces.
  webhook: { WEBHOOKS_PER_WORKSPACE: '1000' },
  // Ten times the limits of a deployment for keys, a hundred times for browsers.
  gateway: {
    RATE_LIMIT_PER_SECOND: '2000',
    RATE_LIMIT_MESSAGES_PER_MINUTE: '3000',
    AUTH_FAILURES_PER_MINUTE: '1000',
  },
};
