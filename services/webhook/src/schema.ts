import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated } from 'kysely';
import type { FinalState } from './deliveries/delivery-state.ts';

/** Which webhook, as its workspace names it: nothing else is read or changed. */
export interface WebhookKey {
  workspaceId: string;
  webhookId: string;
}

/** A subscription. Key: id. Every change of a row raises `version`. A deleted one stays for the log of deliveries. */
export interface WebhookTable extends Omit<Webhook, 'version'> {
  workspaceId: string;
  version: Generated<number>;
  /** Sealed; null once deleted, as is the fingerprint. */
  secretToken: string | null;
  secretTokenFingerprint: Buffer | null;
  /** Why it is not active: a caller said so, its receiver answered 410, or failed for days. Null while it is active. */
  inactiveReason: 'user' | 'gone' | 'auto' | null;
  /** Null while it is inactive. */
  activeSince: Date | null;
  /** Since when events are kept for it, if only as skipped; null while somebody has switched it off, after a 410, once deleted. */
  listeningSince: Date | null;
  /** The stretches of time, a `tstzmultirange`, in which that was so before. */
  listened: Generated<string>;
  /** The header fields that its deliveries carry: JSON of an object, sealed. Null when there are none, and once deleted. */
  headers: Generated<string | null>;
  /** What is delivered one after another: nothing, what is about one customer, or everything. For events from now on. */
  ordering: Generated<'none' | 'perCustomer' | 'strict'>;
  /** Its deliveries are signed with Ed25519 too. */
  isAsymmetric: Generated<boolean>;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
}

/** What a webhook's deliveries are signed with. Key: id. */
export interface SigningSecretTable {
  id: string;
  webhookId: string;
  workspaceId: string;
  /** hmac: `whsec_...`, shared with the receiver; ed25519: `whsk_...`, a private key, only while `isAsymmetric`. */
  kind: Generated<'hmac' | 'ed25519'>;
  /** Sealed. */
  secret: string;
  createdAt: Generated<Date>;
  /** Null for the newest of its kind. */
  expiresAt: Date | null;
}

/**
 * The inbox: events that have come. Key: id. A row may be here before its event: a body put in place by anonymisation
 * waits for it, and `receivedAt` is null until then. It may never come: it may have been purged.
 */
export interface EventTable {
  id: string;
  workspaceId: string;
  customerId: string;
  body: Buffer;
  traceparent: string | null;
  completedAt: Date | null;
  receivedAt: Date | null;
  /** When its body was put in place, if it was before its event came. */
  putAt: Generated<Date | null>;
  /** `Test` for a test event; null: each webhook's own `event`. */
  name: Generated<string | null>;
  /** The version of the customer for whose anonymisation the body was replaced; null when it never was. */
  redactedVersion: number | null;
}

/** The state of a webhook's lane that survives a change of owner. Key: webhookId; there for as long as the webhook's row. */
export interface LaneTable {
  webhookId: string;
  workspaceId: string;
  /** Raised by all changes but its owner's, who then reads the lane, the webhook and its secrets again. */
  revision: Generated<number>;
  /** How often the breaker has opened since it was closed; 0: it is closed. */
  openings: Generated<number>;
  /** By its receiver, or the breaker. */
  pausedUntil: Date | null;
  /** What its receiver answered to pause it: 429 or 503. Null when the breaker pauses it. */
  pauseReason: Generated<'rate_limited' | 'unavailable' | null>;
  lastSuccessAt: Date | null;
  /** The first failure after the last success. */
  failingSince: Date | null;
  /** The first one that was twelve hours later. */
  failingAgainAt: Date | null;
  /** When the last warning became due that was given. Of an earlier stretch of failures when it is before `failingSince`. */
  warnedFor: Generated<Date | null>;
  /** How many attempts may be started in a second, and at once after a while without; null: no limit. */
  ratePerSecond: Generated<number | null>;
  rateBurst: Generated<number | null>;
  /** When all `rateBurst` tokens are there; null: they are. */
  bucketFullAt: Generated<Date | null>;
}

/** The lanes of webhooks whose id ends in this byte, and the replica that owns them. Key: id, 0 to 255. */
export interface ShardTable {
  id: number;
  /** Null when its last owner has released it. */
  owner: string | null;
  /** Raised by each change of owner. */
  epoch: Generated<number>;
  /** When it was last taken from a dead replica; null: never. */
  seizedAt: Date | null;
}

/** The replicas that deliver. Key: id. */
export interface ReplicaTable {
  id: string;
  /** Counts on while the replica lives. */
  heartbeats: number;
}

/** The attempts that were recorded within an hour (UTC), those that count as attempts. Key: webhookId, hour; kept 7 days. */
export interface LaneHourTable {
  webhookId: string;
  workspaceId: string;
  /** Its beginning. */
  hour: Date;
  attempts: number;
  failures: number;
  /** Milliseconds, of all together. */
  totalMs: number;
  maxMs: number;
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

interface DeliveryColumns {
  id: string;
  workspaceId: string;
  webhookId: string;
  eventId: string;
  /** How many attempts were made and recorded. */
  attempts: number;
  /** Its event's body was replaced: excerpts of answers are not kept. */
  isRedacted: boolean;
  createdAt: Date;
}

/** An event for a webhook, as long as there is something to do. Key: id; one per event and webhook. */
export interface OpenDeliveryTable extends DeliveryColumns {
  /** When its next attempt is due. `infinity` while it waits for an earlier one with its ordering key. */
  dueAt: Generated<Date>;
  /** The replica that has it in flight: set for lasting attempts and when a lane is handed over. */
  heldBy: string | null;
  /** It is not sent while one with a smaller id and the same key is open for its webhook; null: whenever it is due. */
  orderingKey: Generated<string | null>;
}

/** The log of deliveries, partitioned by the day of `finishedAt`. Has the attempt that ended one. */
export interface FinishedDeliveryTable extends DeliveryColumns, Nullable<AttemptColumns> {
  state: FinalState;
  finishedAt: Date;
}

/** A view of both. */
export interface DeliveryView extends DeliveryColumns {
  state: 'pending' | FinalState;
  /** Null too while it waits for an earlier one. */
  dueAt: Date | null;
  finishedAt: Date | null;
}

/** One HTTP try. */
interface AttemptColumns {
  /** By the worker's clock; all else is by the database's. */
  startedAt: Date;
  durationMs: number;
  /** The parts, where they were done: see `Latency`. */
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  status: number | null;
  /** An `AttemptError`; null for success. */
  error: string | null;
  responseExcerpt: Buffer | null;
  /** For how long its answer paused the webhook; null for an attempt that counts. */
  pauseMs: number | null;
}

/**
 * The log of attempts after which there was something left to do. Of those that count, deliveryId and number (from 1) are unique. Partitioned by the day of `recordedAt`.
 */
export interface AttemptTable extends AttemptColumns {
  deliveryId: string;
  number: number;
  workspaceId: string;
  recordedAt: Generated<Date>;
}

/** A view of these and of those that have ended a delivery. */
export interface EveryAttemptView extends AttemptColumns {
  deliveryId: string;
  number: number;
  workspaceId: string;
  recordedAt: Date;
}

/** Deliveries of a stretch of time that are made due again, a page after the other. Key: id. Kept 30 days. */
export interface RecoveryTable {
  id: string;
  workspaceId: string;
  webhookId: string;
  /** stopped: its webhook was deactivated. */
  state: Generated<'running' | 'done' | 'stopped'>;
  /** How many deliveries were made due so far. */
  recovered: Generated<number>;
  /** By when the deliveries were made; `until` is exclusive. */
  since: Date;
  until: Date;
  states: string[];
  /** The id of the last delivery of the last page; greater ones are to come. Null before the first page. */
  place: Generated<string | null>;
  /** When its next page may be taken. */
  nextAt: Generated<Date>;
  createdAt: Date;
  finishedAt: Generated<Date | null>;
}

/** The key of the fingerprints of secret tokens; there is one row, once a copy has started: see `fingerprintKey`. */
export interface FingerprintKeyTable {
  isOnly: Generated<true>;
  /** Sealed. */
  sealed: string;
}

/** The schema `webhook`. */
export interface Tables {
  webhook: WebhookTable;
  signingSecret: SigningSecretTable;
  event: EventTable;
  lane: LaneTable;
  laneHour: LaneHourTable;
  shard: ShardTable;
  replica: ReplicaTable;
  openDelivery: OpenDeliveryTable;
  finishedDelivery: FinishedDeliveryTable;
  delivery: DeliveryView;
  attempt: AttemptTable;
  everyAttempt: EveryAttemptView;
  recovery: RecoveryTable;
  fingerprintKey: FingerprintKeyTable;
  idempotencyRecord: IdempotencyTable;
}
