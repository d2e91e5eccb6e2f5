/** The state of a deployment, for its operator. It has no data of a workspace. */
export interface Deployment {
  isWell: boolean;
  checkedAt: Date;
  problems: Problem[];
  services: ServiceState[];
  eventLogs: EventLogState[];
  consumers: ConsumerState[];
  shards: ShardsState;
  /** Null: no replica has reported it. */
  stream: EventStreamState | null;
  deliveries: DeliveriesState;
  /** Null: the deployment has no insight service, or it builds its first figures. */
  figures: { asOfAgeSeconds: number } | null;
}

export const deploymentParts = [
  'services',
  'eventLogs',
  'consumers',
  'shards',
  'stream',
  'deliveries',
  'figures',
] as const;

export type DeploymentPart = (typeof deploymentParts)[number];

export interface Problem {
  part: DeploymentPart;
  /** What it is about: a service, a replica (`webhook 10.0.0.7:50051`), a durable. Empty: the part itself. */
  subject: string;
  /** The alert about it, which has a runbook of the same name. */
  alert: string;
  /** For people. */
  detail: string;
}

/**
 * `ready`: it serves. `not-ready`: it answers, but its database does not. `silent`: it does not answer. `unknown`: it
 * answers, but does not know the question, as releases before 0.3.
 */
export const replicaStates = ['ready', 'not-ready', 'silent', 'unknown'] as const;

export interface ReplicaRecord {
  address: string;
  state: (typeof replicaStates)[number];
  /** Null: it does not say. */
  host: string | null;
  version: string | null;
  startedAt: Date | null;
  /** Since when it does not answer, as far as the asking process knows. Null: it does. */
  silentSince: Date | null;
}

export interface ServiceState {
  name: string;
  isWell: boolean;
  /** The versions of its replicas, without repetition. */
  versions: string[];
  replicas: ReplicaRecord[];
}

export interface EventLogState {
  service: string;
  isWell: boolean;
  /** Events that no consumer can read yet, counted up to 10,000. */
  waiting: number;
  /** The age of the oldest of these. */
  oldestAgeSeconds: number;
}

export interface ConsumerState {
  durable: string;
  isWell: boolean;
  /** Events that it has not acknowledged. Null: the broker does not say. */
  lag: number | null;
  /** How many of these were delivered more than once. */
  redelivered: number | null;
  /** Dead letters. Null: not a consumer of Parley. */
  putAside: number | null;
  /** The age of the oldest event of the logs that it should have handled. Null: no replica says. */
  behindSeconds: number | null;
}

export interface ShardsState {
  isWell: boolean;
  total: number;
  /** Shards without an owner. Null: a replica does not say what it owns. */
  unowned: number | null;
  owners: { address: string; shards: number; since: Date | null }[];
}

export interface EventStreamState {
  name: string;
  isWell: boolean;
  /** The replicas that it must have, has by its configuration, and that are up to date. */
  replicas: { set: number; configured: number; online: number };
  /** The server that leads it. Null: none, one without a cluster, or it is not known. */
  leader: string | null;
  messages: number | null;
  bytes: number | null;
}

export interface DeliveriesState {
  isWell: boolean;
  /** The age of the oldest due delivery that could be sent. Null: no replica says. */
  oldestDueAgeSeconds: number | null;
  /** Webhooks with waiting deliveries that fail, so that their breaker is open. */
  openBreakers: number | null;
  /** Webhooks with waiting deliveries that are paused, by their receiver or their breaker. */
  paused: number | null;
  /** Whether each replica of the webhook service can send. */
  egress: { address: string; isUp: boolean }[];
}
