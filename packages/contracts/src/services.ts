import { broadcastSubjects, evictionSubject } from './subjects.ts';

// The services of Parley. Code takes all that it knows of them from here. `npm run generate` writes what other programs
// read, and tests/check/deploy/services.test.ts compares the rest (docs/decisions/0043-services.md).

/** What Parley knows of a service. `services/<name>` has its code. */
interface Declaration<Callee extends string = string> {
  /** Whether it owns a schema, and with it a database role `parley_<name>`. Only the gateway has none. */
  hasSchema: boolean;
  /** A deployment may leave it out: nothing but its own calls needs it. */
  isOptional?: true;
  /** The services that it calls. It has their addresses as `<NAME>_ADDRESS`. */
  calls: readonly Callee[];
  /** The port of a compose deployment at which the command line reaches it. */
  operatorPort?: number;
  bus: BusUse;
  /** Its keyrings: the variable, and the name in `secrets.json` of a local run. */
  keyrings: Readonly<Record<string, string>>;
  /** Its secrets that a deployment may leave out. */
  optionalSecrets?: readonly string[];
  /** Its other variables that a deployment may set, without the variables that every service with a schema has. */
  settings?: readonly string[];
  /** It connects to addresses outside the deployment: always, or if this setting has a value. */
  outside?: 'always' | { ifSet: string; network: string };
}

/** What a service does on NATS. It may do nothing else. */
interface BusUse {
  /** It raises events `parley.<name>.*`. */
  raisesEvents?: true;
  /** It has a durable consumer of the stream under its name. */
  consumesEvents?: true;
  /** It creates and updates the stream. */
  declaresStream?: true;
  /** It reads the state of the stream. */
  readsStream?: true;
  /** Subjects beside the stream. */
  publishes?: readonly string[];
  subscribes?: readonly string[];
  /** It may answer a request that it has received, once, within two minutes. */
  answers?: true;
}

const { interactionChanged, deliveriesDue, shardsMoved } = broadcastSubjects;

/** All services, in the order of an update: the gateway calls all others and is the last one. */
const declared = {
  identity: {
    hasSchema: true,
    calls: [],
    operatorPort: 50_051,
    bus: { publishes: [evictionSubject('*')] },
    keyrings: { CREDENTIAL_PEPPERS: 'credentialPeppers', ENCRYPTION_KEYS: 'identityKeys' },
    optionalSecrets: ['OIDC_CLIENT_SECRET'],
    settings: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_GROUPS_CLAIM', 'OIDC_GROUP_ROLES'],
    outside: { ifSet: 'OIDC_ISSUER', network: 'sign-in' },
  },
  customer: {
    hasSchema: true,
    calls: ['identity', 'interaction', 'webhook'],
    operatorPort: 50_053,
    bus: { raisesEvents: true },
    keyrings: { ENCRYPTION_KEYS: 'customerKeys' },
    settings: ['EVENT_RETENTION_DAYS'],
  },
  interaction: {
    hasSchema: true,
    calls: ['identity', 'customer'],
    operatorPort: 50_052,
    bus: {
      raisesEvents: true,
      declaresStream: true,
      publishes: [interactionChanged],
      subscribes: [interactionChanged],
    },
    keyrings: { LINK_KEYS: 'linkKeys' },
    optionalSecrets: ['LLM_API_KEY'],
    settings: [
      'EVENT_RETENTION_DAYS',
      'LANDING_URL',
      'LLM_BASE_URL',
      'LLM_MODEL',
      'LLM_TIMEOUT_MS',
      'NATS_STREAM_REPLICAS',
    ],
    outside: 'always',
  },
  webhook: {
    hasSchema: true,
    calls: ['identity', 'customer', 'interaction'],
    bus: {
      raisesEvents: true,
      consumesEvents: true,
      publishes: [deliveriesDue, shardsMoved],
      subscribes: [deliveriesDue, shardsMoved],
    },
    keyrings: { ENCRYPTION_KEYS: 'webhookKeys' },
    optionalSecrets: ['WEBHOOK_EGRESS_PROXY'],
    settings: [
      'EVENT_RETENTION_DAYS',
      'SECRET_TOKEN_PARAMETER',
      'WEBHOOKS_PER_WORKSPACE',
      'WEBHOOK_ALLOWED_NETWORKS',
      'WEBHOOK_RETRY_SCHEDULE_SECONDS',
    ],
    outside: 'always',
  },
  insight: {
    hasSchema: true,
    isOptional: true,
    calls: ['identity', 'interaction'],
    operatorPort: 50_054,
    bus: { consumesEvents: true },
    keyrings: {},
  },
  gateway: {
    hasSchema: false,
    calls: ['identity', 'customer', 'interaction', 'webhook', 'insight'],
    // Only it can confirm an eviction, and only one that it was asked for.
    bus: { readsStream: true, subscribes: [evictionSubject('*')], answers: true },
    keyrings: { SESSION_KEYS: 'sessionKeys' },
    settings: [
      'AUTH_FAILURES_PER_MINUTE',
      'LANDING_URL',
      'PUBLIC_URL',
      'RATE_LIMIT_MESSAGES_PER_MINUTE',
      'RATE_LIMIT_PER_SECOND',
      'TRUSTED_PROXIES',
    ],
  },
} as const satisfies Record<string, Declaration>;

type Declared = typeof declared;
type NamesWith<Part> = {
  [Name in keyof Declared]: Declared[Name] extends Part ? Name : never;
}[keyof Declared];

export type ServiceName = keyof Declared;
export type DatabaseService = NamesWith<{ hasSchema: true }>;
export type OptionalService = NamesWith<{ isOptional: true }>;
/** The name of a keyring in `secrets.json` of a local run. */
export type KeyringName = {
  [Name in ServiceName]: Declared[Name]['keyrings'][keyof Declared[Name]['keyrings']];
}[ServiceName];

export const services: Readonly<Record<ServiceName, Declaration<DatabaseService>>> = declared;

/** All services, in the order of an update. */
export const serviceNames = Object.keys(services) as ServiceName[];

/** The services that own a schema, in the order of an update. */
export const databaseServices = serviceNames.filter((name) => services[name].hasSchema) as DatabaseService[];

/** The services that a deployment may leave out. */
export const optionalServices = serviceNames.filter((name) => services[name].isOptional) as OptionalService[];

/** The names of the keyrings of all services. */
export const keyringNames = serviceNames.flatMap((name) =>
  Object.values(services[name].keyrings),
) as KeyringName[];

const secretsOfAll = ['RPC_TOKEN', 'RPC_CALLERS', 'OPERATOR_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'];
const secretsOfStores = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'NATS_URL'];

/** Returns the secrets that only this service and some others have. */
export const ownSecretsOf = (name: ServiceName): string[] => [
  ...Object.keys(services[name].keyrings),
  ...(services[name].optionalSecrets ?? []),
];

/** Returns the variables without keys that only this service and some others read. */
export const ownSettingsOf = (name: ServiceName): string[] => [
  ...(services[name].settings ?? []),
  ...(services[name].optionalSecrets ?? []),
];

/**
 * The settings that hold a secret, and `RPC_CALLERS`, which changes together with tokens. Each can be given as a file,
 * whose path is in `NAME_FILE`.
 */
export const secretSettings: readonly string[] = [
  ...new Set([...secretsOfAll, ...secretsOfStores, ...serviceNames.flatMap(ownSecretsOf)]),
];

/** The variable with the address of a service. */
export type AddressVariable = `${Uppercase<DatabaseService>}_ADDRESS`;

export const addressVariable = (name: DatabaseService): AddressVariable =>
  `${name.toUpperCase() as Uppercase<DatabaseService>}_ADDRESS`;

/** The services that the command line reaches in a compose deployment, by their ports. */
export const operatorPorts: readonly (readonly [name: ServiceName, port: number])[] = serviceNames
  .flatMap((name) => {
    const { operatorPort } = services[name];
    return operatorPort === undefined ? [] : [[name, operatorPort] as const];
  })
  .toSorted(([, one], [, other]) => one - other);

/**
 * The order of dumps that are not of one instant. First the customers: an erasure of an earlier dump is complete in the
 * later ones. Then the consumers of events: the event log of their producers has what their dumps lack. Last identity,
 * with the workspaces of all others.
 */
export const backupOrder: readonly DatabaseService[] = databaseServices.toSorted(
  (one, other) => backupRank(one) - backupRank(other),
);

function backupRank(name: DatabaseService): number {
  if (name === 'customer') return 0;
  if (name === 'identity') return 3;
  return services[name].bus.consumesEvents ? 1 : 2;
}
