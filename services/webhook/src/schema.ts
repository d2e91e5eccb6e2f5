import type { Attempt, HourStats, Recovery } from '@parley/contracts/webhook/v1/delivery';
import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated, Selectable } from 'kysely';
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
  /** Sealed; null once deleted. */
  secretToken: string | null;
  /** Why it is not active: a caller said so, its receiver answered 410, or failed for days. Null while it is active. */
  inactiveReason: 'user' | 'gone' | 'auto' | null;
  /** Null while it is inactive. */
  activeSince: Date | null;
  /** Since when events are kept for it. Null while a caller has it off, after a 410, and once deleted. */
  listeningSince: Date | null;
  /** The stretches of time, a `tstzmultirange`, in which that was so before. */
  listened: Generated<string>;
  /** The header fields of its deliveries: JSON of an object, sealed. Null when there are none. */
  headers: Generated<string | null>;
  /** What is delivered one after another: nothing, what is about one customer, or everything. */
  ordering: Generated<'none' | 'perCustomer' | 'strict'>;
  /** Its deliveries are signed with Ed25519 too. */
  isAsymmetric: Generated<boolean>;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
}

/** What a webhook's deliveries are signed with. Key: id. */
export interface SigningSecretTable extends WebhookKey {
  id: string;
  /** hmac: `whsec_...`, shared with the receiver; ed25519: `whsk_...`, a private key, only while `isAsymmetric`. */
  kind: Generated<'hmac' | 'ed25519'>;
  /** Sealed. */
  secret: string;
  createdAt: Generated<Date>;
  /** Null for the newest of its kind. */
  expiresAt: Date | null;
}

/** The inbox. Key: id. `receivedAt` is null while a redacted body waits for its event, which may never come. */
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

/** The state of a webhook's lane that survives a change of owner. Key: webhookId. */
export interface LaneTable extends WebhookKey {
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
  /** When the last warning became due. Before `failingSince` it was about earlier failures. */
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

/** The counted attempts that were recorded within an hour (UTC). Key: webhookId, hour. Kept 7 days. */
export interface LaneHourTable extends WebhookKey, Omit<HourStats, 'hour' | 'meanMs'> {
  /** Its beginning. */
  hour: Date;
  /** Milliseconds, of all together. */
  totalMs: number;
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

interface DeliveryColumns extends WebhookKey {
  id: string;
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
interface AttemptColumns extends Omit<Attempt, 'number' | 'startedAt' | 'responseExcerpt'> {
  /** By the worker's clock; all else is by the database's. */
  startedAt: Date;
  responseExcerpt: Buffer | null;
}

/** The log of attempts that did not end a delivery, partitioned by the day of `recordedAt`. Numbers begin with 1. */
export interface AttemptTable extends AttemptColumns {
  deliveryId: string;
  number: number;
  workspaceId: string;
  recordedAt: Generated<Date>;
}

/** Deliveries of a stretch of time that are made due again, a page after the other. Key: id. Kept 30 days. */
export interface RecoveryTable extends WebhookKey, Recovery {
  /** The id of the last delivery of the last page; greater ones are to come. Null before the first page. */
  place: string | null;
  /** When its next page may be taken. */
  nextAt: Date;
  createdAt: Date;
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
  /** A view of these and of those that have ended a delivery. */
  everyAttempt: Selectable<AttemptTable>;
  recovery: RecoveryTable;
  idempotencyRecord: IdempotencyTable;
}
