import { createHash } from 'node:crypto';
import { type CallerName, callerNames } from '@parley/contracts/method-access';
import type { DatabaseService, ServiceName } from '@parley/contracts/services';
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
  const env = {
    ...layout.inherited,
    LISTEN: listen,
    RPC_TOKEN: tokenOf(layout.secrets, service),
    NATS_URL: layout.natsUrlOf(service),
    PARLEY_EXIT_ON_STDIN_END: '1',
    ...tlsVariables(layout.certificateOf?.(service)),
    ...ownVariables(layout)[service],
  };
  // Only the interaction service asks the model, and only identity the sign-in provider.
  const isVisible = (name: string): boolean =>
    (service === 'interaction' || !name.startsWith('LLM_')) &&
    (service === 'identity' || !name.startsWith('OIDC_'));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isVisible(name)));
}

function tlsVariables(files: RpcTlsFiles | undefined): NodeJS.ProcessEnv {
  if (!files) return {};
  return { RPC_TLS_CA_FILE: files.ca, RPC_TLS_CERT_FILE: files.cert, RPC_TLS_KEY_FILE: files.key };
}

function ownVariables(layout: Layout): Record<ServiceName, NodeJS.ProcessEnv> {
  const { inherited, secrets, addresses, streamReplicas, webhookRetryScheduleSeconds: schedule } = layout;
  const IDENTITY_ADDRESS = grpcAddress(addresses.identity);
  const CUSTOMER_ADDRESS = grpcAddress(addresses.customer);
  const INTERACTION_ADDRESS = grpcAddress(addresses.interaction);
  const WEBHOOK_ADDRESS = grpcAddress(addresses.webhook);
  const INSIGHT_ADDRESS = grpcAddress(addresses.insight);
  return {
    identity: {
      ...ownerVariables('identity', layout),
      CREDENTIAL_PEPPERS: secrets.credentialPeppers,
      ENCRYPTION_KEYS: secrets.identityKeys,
    },
    customer: {
      ...ownerVariables('customer', layout),
      IDENTITY_ADDRESS,
      INTERACTION_ADDRESS,
      WEBHOOK_ADDRESS,
      ENCRYPTION_KEYS: secrets.customerKeys,
    },
    interaction: {
      ...ownerVariables('interaction', layout),
      IDENTITY_ADDRESS,
      CUSTOMER_ADDRESS,
      ...(streamReplicas !== undefined && { NATS_STREAM_REPLICAS: String(streamReplicas) }),
      LINK_KEYS: secrets.linkKeys,
      LANDING_URL: layout.landingUrl,
    },
    webhook: {
      ...ownerVariables('webhook', layout),
      IDENTITY_ADDRESS,
      CUSTOMER_ADDRESS,
      INTERACTION_ADDRESS,
      ENCRYPTION_KEYS: secrets.webhookKeys,
      ALLOW_PRIVATE_WEBHOOKS: String(layout.allowPrivateWebhooks),
      // Ten times as many as in a deployment, because tests share workspaces and experiments leave webhooks behind.
      WEBHOOKS_PER_WORKSPACE: inherited['WEBHOOKS_PER_WORKSPACE'] ?? '1000',
      ...(schedule ? { WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule.join(',') } : {}),
    },
    insight: { ...ownerVariables('insight', layout), IDENTITY_ADDRESS, INTERACTION_ADDRESS },
    gateway: {
      ...generousLimits,
      ...inherited,
      IDENTITY_ADDRESS,
      CUSTOMER_ADDRESS,
      INTERACTION_ADDRESS,
      WEBHOOK_ADDRESS,
      INSIGHT_ADDRESS,
      SESSION_KEYS: secrets.sessionKeys,
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
  'NATS_STREAM_REPLICAS',
  'AUTH_FAILURES_PER_MINUTE',
  'TRUSTED_PROXIES',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WEBHOOK_EGRESS_PROXY',
  'WEBHOOKS_PER_WORKSPACE',
]);

/**
 * Returns the variables that services inherit: search paths, options of Node, logging, telemetry, limits,
 * trusted proxies, webhook networks, the model and the sign-in provider. An empty variable counts as not set.
 */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isInherited = (name: string): boolean =>
    inheritedNames.has(name) ||
    name.startsWith('RATE_LIMIT_') ||
    name.startsWith('LLM_') ||
    name.startsWith('OIDC_') ||
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

/**
 * Ten times the limits of a deployment for keys, a hundred times for browsers: these are meant for one person
 * each, but all scripts of a local run share one address.
 */
const generousLimits = {
  RATE_LIMIT_PER_SECOND: '2000',
  RATE_LIMIT_MESSAGES_PER_MINUTE: '3000',
  AUTH_FAILURES_PER_MINUTE: '1000',
};
