import type { AuditTables } from '@parley/audit/table';
import type { EventName } from '@parley/contracts/event-names';
import type { Attempt, HourStats, Recovery } from '@parley/contracts/webhook/v1/delivery';
import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import type { EventLogTable } from '@parley/events/log';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import { type Generated, type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';

/** succeeded, failed: after an attempt; skipped: the webhook was inactive; discarded: the webhook was deleted. */
export const finalStates = ['succeeded', 'failed', 'skipped', 'discarded'] as const;
export type FinalState = (typeof finalStates)[number];

export const orderings = ['none', 'perCustomer', 'strict'] as const;
export type Ordering = (typeof orderings)[number];

export interface WebhookKey {
  workspaceId: string;
  webhookId: string;
}

export const ofWebhook = ({ workspaceId, webhookId }: WebhookKey): RawBuilder<boolean> =>
  sql`workspace_id = ${workspaceId} and webhook_id = ${webhookId}`;

/** A subscription. Key: id. Each change increments `version`. A deleted row stays for the log of deliveries. */
export interface WebhookTable extends Omit<Webhook, 'version' | 'events'> {
  workspaceId: string;
  /** The events of its subscription with commas, for replicas of 0.2.0. No other code reads it. */
  event: string;
  version: Generated<number>;
  /** Encrypted; null once deleted. */
  secretToken: string | null;
  /** Why it is inactive: by a call, after a 410, or after days of failures. Null while it is active. */
  inactiveReason: 'user' | 'gone' | 'auto' | null;
  /** Whether a call of the portal has deactivated it, and no call of the company since. */
  isInactiveByPortal: Generated<boolean>;
  /** Null while it is inactive. */
  activeSince: Date | null;
  /** Since when its events are stored. Null after a deactivation by a call or a 410, and once deleted. */
  listeningSince: Date | null;
  /** The former ranges of time in which its events were stored: a `tstzmultirange`. */
  listened: Generated<string>;
  /** The header fields of its deliveries: JSON of an object, encrypted. Null if there are none. */
  headers: Generated<string | null>;
  ordering: Generated<Ordering>;
  /** Whether its deliveries are signed with Ed25519 too. */
  isAsymmetric: Generated<boolean>;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
}

/** A key that signs a webhook's deliveries. Key: id. */
export interface SigningSecretTable extends WebhookKey {
  id: string;
  /** hmac: `whsec_...`, shared with the receiver; ed25519: `whsk_...`, a private key, only while `isAsymmetric`. */
  kind: Generated<'hmac' | 'ed25519'>;
  /** Encrypted. */
  secret: string;
  createdAt: Generated<Date>;
  /** Null for the newest of its kind. */
  expiresAt: Date | null;
}

/** An event that a webhook was to get. Key: id. */
export interface EventTable {
  id: string;
  workspaceId: string;
  /** Its public name; `Test` for a test event. */
  name: string;
  /** The id of its interaction; empty for a test event. */
  about: string;
  /** Empty for a test event. */
  customerId: string;
  /** The status of the interaction when it was raised; empty for a test event. */
  status: string;
  /** JSON of the envelope's `data`, without `extra` and `result`. Empty once the interaction is deleted. */
  data: Buffer;
  /** JSON of further fields of `data`. */
  extra: string;
  /** Of a completion: JSON of the history. Else null. */
  result: Buffer | null;
  isTest: Generated<boolean>;
  /** Its interaction is a test. Such an event is no test event. */
  isTestInteraction: Generated<boolean>;
  traceparent: string | null;
  /** Null for a test event. */
  raisedAt: Date | null;
  receivedAt: Generated<Date>;
  /** The version of the customer whose anonymisation replaced the body; null if none did. */
  redactedVersion: number | null;
}

/** An interaction that was deleted: no event about it is stored. Key: interactionId. Kept as long as the event log. */
export interface DeletedInteractionTable {
  interactionId: string;
  workspaceId: string;
  deletedAt: Generated<Date>;
}

/** What a webhook wants from `since` on, until the next row. Key: webhookId, since. */
export interface SubscriptionTable extends WebhookKey {
  since: Date;
  events: EventName[];
  /** A CEL expression (`packages/bot/src/filters/event-filter.ts`). Null: every event passes. */
  filter: string | null;
  /** Whether completions have the envelope too. */
  isEnveloped: boolean;
}

/** How often the filter of a webhook has kept an event back, or has failed. Key: webhookId. */
export interface FilterResultTable extends WebhookKey {
  filtered: number;
  errors: number;
  lastError: string | null;
}

/** The state of a lane that survives a change of owner. Key: webhookId. */
export interface LaneTable extends WebhookKey {
  /** Incremented by all changes except by its owner, which then reads lane, webhook and secrets again. */
  revision: Generated<number>;
  /** How often the breaker has opened since it was closed. 0: it is closed. */
  openings: Generated<number>;
  /** The end of a pause by the receiver or the breaker. */
  pausedUntil: Date | null;
  /** The answer that paused it: 429 or 503. Null if the breaker did. */
  pauseReason: Generated<'rate_limited' | 'unavailable' | null>;
  lastSuccessAt: Date | null;
  /** The first failure after the last success. */
  failingSince: Date | null;
  /** The first failure at least twelve hours later. */
  failingAgainAt: Date | null;
  /** When the last given warning became due. Earlier than `failingSince`: it was about earlier failures. */
  warnedFor: Generated<Date | null>;
  /** Attempts per second, and the size of the token bucket. Null: no limit. */
  ratePerSecond: Generated<number | null>;
  rateBurst: Generated<number | null>;
  /** When the bucket is full. Null: now. */
  bucketFullAt: Generated<Date | null>;
}

/** The lanes of webhooks whose id ends in this byte, and their owner. Key: id, 0 to 255. */
export interface ShardTable {
  id: number;
  /** Null if its last owner has released it. */
  owner: string | null;
  /** Incremented by each change of owner. */
  epoch: Generated<number>;
  /** When it was last seized from a dead replica. Null: never. */
  seizedAt: Date | null;
}

export interface ReplicaTable {
  id: string;
  /** Incremented every second while the replica is alive. Negative while it leaves. */
  heartbeats: number;
}

/** The counted attempts of an hour (UTC). Key: webhookId, hour. Stored for 7 days. */
export interface LaneHourTable extends WebhookKey, Omit<HourStats, 'hour' | 'meanMs'> {
  hour: Date;
  /** The sum of their durations, in milliseconds. */
  totalMs: number;
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

interface DeliveryColumns extends WebhookKey {
  id: string;
  eventId: string;
  attempts: number;
  /** How many of the attempts came before their time, by a call: they use up none of the planned ones. */
  manualAttempts: Generated<number>;
  /** Whether the body of its event was replaced: then excerpts of answers are not stored. */
  isRedacted: boolean;
  createdAt: Date;
}

/** A delivery that is not finished. Key: id; one per event and webhook. */
export interface OpenDeliveryTable extends DeliveryColumns {
  /** When its next attempt is due. `infinity` while it waits for an earlier one with its ordering key. */
  dueAt: Generated<Date>;
  /** When its next planned attempt is due, if a call has asked for one before. */
  plannedAt: Generated<Date | null>;
  /** The replica that has it in flight. Set for slow attempts, and when a lane is handed over. */
  claimedBy: string | null;
  /** It waits for open deliveries of its webhook with the same key and a smaller id. Null: it waits for none. */
  orderingKey: Generated<string | null>;
  isEnveloped: Generated<boolean>;
}

/** The log of finished deliveries with their last attempts, partitioned by the day of `finishedAt`. */
export interface FinishedDeliveryTable extends DeliveryColumns, Nullable<AttemptColumns> {
  state: FinalState;
  finishedAt: Date;
  isEnveloped: Generated<boolean>;
}

/** A view of open and finished deliveries. */
export interface DeliveryView extends DeliveryColumns {
  state: 'pending' | FinalState;
  /** Null if finished, or while it waits for an earlier delivery. */
  dueAt: Date | null;
  finishedAt: Date | null;
}

/** One HTTP try. */
interface AttemptColumns extends Omit<Attempt, 'number' | 'startedAt' | 'responseExcerpt'> {
  /** By the clock of the replica. All other instants are by the database's. */
  startedAt: Date;
  responseExcerpt: Buffer | null;
}

/** The log of attempts that did not end a delivery, partitioned by the day of `recordedAt`. Numbers start at 1. */
export interface AttemptTable extends AttemptColumns {
  deliveryId: string;
  number: number;
  workspaceId: string;
  recordedAt: Generated<Date>;
}

/** A recovery: makes deliveries of a range of time due again, page by page. Key: id. Stored for 30 days. */
export interface RecoveryTable extends WebhookKey, Recovery {
  /** The id of the last recovered delivery. Null before the first page. */
  place: string | null;
  /** When its next page is due. */
  nextAt: Date;
  createdAt: Date;
}

export interface Tables extends AuditTables {
  webhook: WebhookTable;
  signingSecret: SigningSecretTable;
  event: EventTable;
  deletedInteraction: DeletedInteractionTable;
  subscription: SubscriptionTable;
  filterResult: FilterResultTable;
  lane: LaneTable;
  laneHour: LaneHourTable;
  shard: ShardTable;
  replica: ReplicaTable;
  openDelivery: OpenDeliveryTable;
  finishedDelivery: FinishedDeliveryTable;
  delivery: DeliveryView;
  attempt: AttemptTable;
  /** A view of all attempts, including attempts that ended a delivery. */
  everyAttempt: Selectable<AttemptTable>;
  recovery: RecoveryTable;
  idempotencyRecord: IdempotencyTable;
  eventLog: EventLogTable;
}

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;
