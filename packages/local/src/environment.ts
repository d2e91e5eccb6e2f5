import { serviceUrl } from '@parley/postgres/urls';
import type { Secrets } from './secrets.ts';
import type { DatabaseService, ServiceName } from './service-names.ts';

/** What the environments of all services are made from. */
export interface Layout {
  /** What services get as it is, `LLM_*` only the one that asks the model: see `inheritedEnvironment`. */
  inherited: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** The URL of the server's administrator; services get the same server with roles of their own. */
  adminUrl: string;
  database: string;
  natsUrl: string;
  /** Where the processes of each service listen, `host:port` each. */
  addresses: Record<ServiceName, string[]>;
  landingUrl: string;
  docsExamplesFile: string;
  demoFile: string;
  allowPrivateWebhooks: boolean;
  /** Other delays between the attempts of a delivery than the usual ones. */
  webhookRetryScheduleSeconds?: readonly number[] | undefined;
}

/** The environment of one process of a service that is to listen at the address. */
export function environmentOf(service: ServiceName, listen: string, layout: Layout): NodeJS.ProcessEnv {
  const isItsOwn = ([name]: [string, unknown]): boolean =>
    service === 'interaction' || !name.startsWith('LLM_');
  const inherited = Object.fromEntries(Object.entries(layout.inherited).filter(isItsOwn));
  const own = { identity, customer, interaction, webhook, gateway }[service]({ ...layout, inherited });
  return {
    ...inherited,
    LISTEN: listen,
    RPC_TOKEN: layout.secrets.rpcToken,
    PARLEY_EXIT_ON_STDIN_END: '1',
    ...own,
  };
}

const inheritedNames = new Set([
  'PATH',
  'HOME',
  'LANG',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'LOG_LEVEL',
  'AUTH_FAILURES_PER_MINUTE',
  'TRUSTED_PROXIES',
  'WEBHOOK_ALLOWED_NETWORKS',
  'WEBHOOK_EGRESS_PROXY',
  'WEBHOOKS_PER_WORKSPACE',
]);

/**
 * The part of our own environment that the services get: where to look for programs, logging, telemetry, rates, which
 * proxies to believe, where webhooks may lead, and the model. What is set to nothing is not set, and hides no default.
 */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // One service name for five services would hide which one a span is from.
  const isWanted = (name: string): boolean =>
    inheritedNames.has(name) ||
    name.startsWith('RATE_LIMIT_') ||
    name.startsWith('LLM_') ||
    (name.startsWith('OTEL_') && name !== 'OTEL_SERVICE_NAME');
  return {
    LOG_LEVEL: 'info',
    TZ: 'UTC',
    ...Object.fromEntries(Object.entries(env).filter(([name, value]) => value && isWanted(name))),
  };
}

/** One address of a service for gRPC: its only process, or a list that calls go round. */
export function grpcAddress(addresses: readonly string[]): string {
  return addresses.length === 1 ? String(addresses[0]) : `ipv4:${addresses.join(',')}`;
}

function identity(layout: Layout): NodeJS.ProcessEnv {
  const { credentialPeppers, identityKeys } = layout.secrets;
  return {
    ...owner('identity', layout),
    NATS_URL: layout.natsUrl,
    CREDENTIAL_PEPPERS: credentialPeppers,
    ENCRYPTION_KEYS: identityKeys,
  };
}

function customer(layout: Layout): NodeJS.ProcessEnv {
  return {
    ...owner('customer', layout),
    IDENTITY_ADDRESS: grpcAddress(layout.addresses.identity),
    INTERACTION_ADDRESS: grpcAddress(layout.addresses.interaction),
    WEBHOOK_ADDRESS: grpcAddress(layout.addresses.webhook),
  };
}

function interaction(layout: Layout): NodeJS.ProcessEnv {
  return {
    ...owner('interaction', layout),
    CUSTOMER_ADDRESS: grpcAddress(layout.addresses.customer),
    WEBHOOK_ADDRESS: grpcAddress(layout.addresses.webhook),
    NATS_URL: layout.natsUrl,
    LINK_KEYS: layout.secrets.linkKeys,
  };
}

function webhook(layout: Layout): NodeJS.ProcessEnv {
  const schedule = layout.webhookRetryScheduleSeconds;
  return {
    ...owner('webhook', layout),
    NATS_URL: layout.natsUrl,
    INTERACTION_ADDRESS: grpcAddress(layout.addresses.interaction),
    ENCRYPTION_KEYS: layout.secrets.webhookKeys,
    ALLOW_PRIVATE_WEBHOOKS: String(layout.allowPrivateWebhooks),
    // Ten times those of a deployment, as the rates: tests share workspaces, and what was tried out stays.
    WEBHOOKS_PER_WORKSPACE: layout.inherited['WEBHOOKS_PER_WORKSPACE'] ?? '1000',
    ...(schedule ? { WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule.join(',') } : {}),
  };
}

function gateway(layout: Layout): NodeJS.ProcessEnv {
  return {
    ...generousLimits,
    ...layout.inherited,
    IDENTITY_ADDRESS: grpcAddress(layout.addresses.identity),
    CUSTOMER_ADDRESS: grpcAddress(layout.addresses.customer),
    INTERACTION_ADDRESS: grpcAddress(layout.addresses.interaction),
    WEBHOOK_ADDRESS: grpcAddress(layout.addresses.webhook),
    NATS_URL: layout.natsUrl,
    SESSION_KEYS: layout.secrets.sessionKeys,
    LANDING_URL: layout.landingUrl,
    DOCS_EXAMPLES_FILE: layout.docsExamplesFile,
    DEMO_FILE: layout.demoFile,
  };
}

/**
 * Where none are given: ten times the rates of a deployment for keys, a hundred times for browsers. Those are meant for
 * one person each, and in a local run it is scripts that talk, all from one address.
 */
const generousLimits = {
  RATE_LIMIT_PER_SECOND: '2000',
  RATE_LIMIT_BURST: '4000',
  RATE_LIMIT_SESSIONS_PER_MINUTE: '6000',
  RATE_LIMIT_PENDING_PER_MINUTE: '1200',
  RATE_LIMIT_CONVERSATION_PER_MINUTE: '12000',
  RATE_LIMIT_MESSAGES_PER_MINUTE: '3000',
  RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE: '60000',
  AUTH_FAILURES_PER_MINUTE: '1000',
};

/** What every service with a schema needs. */
function owner(service: DatabaseService, layout: Layout): NodeJS.ProcessEnv {
  const role = { name: service, password: layout.secrets.passwords[service] };
  return {
    DATABASE_URL: serviceUrl(layout.adminUrl, layout.database, role),
    OPERATOR_TOKEN: layout.secrets.operatorToken,
  };
}
