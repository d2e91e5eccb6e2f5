import type { AuditTables } from '@parley/audit/table';
import type { ConversationState, Entry } from '@parley/bot/engine';
import type { BotDefinition } from '@parley/bot/definition';
import type { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import type { ContactLimit } from '@parley/contracts/interaction/v1/contact';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { OpenLink } from '@parley/contracts/interaction/v1/open_link';
import type { EventLogTable } from '@parley/events/log';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

// JSON columns are written as text and read as values.
type Json<Value> = ColumnType<Value, string, string>;

/** A bot with its current version. Key: id. */
export interface BotTable extends Omit<Bot, 'version'> {
  workspaceId: string;
  type: string;
  typeLabel: string;
  version: Generated<number>;
  createdAt: Generated<Date>;
}

/** A published definition; never changed. Key: botId, version. */
export interface BotVersionTable
  extends Omit<BotVersion, 'publishedAt' | 'note' | 'restoredFrom' | 'isLive'> {
  botId: string;
  workspaceId: string;
  /** The text as it was published. */
  definition: Json<BotDefinition>;
  publishedAt: Generated<Date>;
  note: string | null;
  restoredFrom: number | null;
  /** After how many seconds each reminder is due. Null for none. */
  reminders: number[] | null;
  /** Whether its conversations never stall, set by a trigger. Null for a version from before the column. */
  neverStalls: ColumnType<boolean | null, never, never>;
}

/** What the audit log has of an author's saves of a draft. */
export interface DraftSaves {
  /** When its last row was written. */
  at: string;
  /** The places that changed since then. */
  places: string[];
}

/** The unpublished definition of a bot. Key: botId. The row stays when its draft is removed. */
export interface BotDraftTable {
  botId: string;
  workspaceId: string;
  /** Rises with each change, also with a removal. */
  version: Generated<number>;
  /** The text as it was saved. Null without a draft, like the next three. */
  definition: string | null;
  baseVersion: number | null;
  updatedAt: Date | null;
  updatedBy: string | null;
  /** By author, of the last minute. */
  saves: ColumnType<Record<string, DraftSaves>, string | undefined, string>;
}

/** That a person has the editor of a bot open in a tab. Key: botId, personId, id. */
export interface PresenceTable {
  botId: string;
  workspaceId: string;
  personId: string;
  /** The tab has chosen it. */
  id: string;
  openedAt: Generated<Date>;
  /** When the tab has renewed it last. */
  renewedAt: Generated<Date>;
}

/** A link by which anybody can hold a conversation with a bot. Key: id. `responses` does not raise `version`. */
export interface OpenLinkTable extends Omit<OpenLink, 'token' | 'responsesMax' | GeneratedOfLink> {
  workspaceId: string;
  responsesMax: number | null;
  responses: Generated<number>;
  isClosed: Generated<boolean>;
  isTest: Generated<boolean>;
  createdAt: Generated<Date>;
  version: Generated<number>;
}
type GeneratedOfLink = 'responses' | 'isClosed' | 'isTest' | 'createdAt' | 'version';

export type Status = Exclude<Interaction['status'], 'STATUS_UNSPECIFIED'>;
export type Priority = Exclude<Interaction['priority'], 'PRIORITY_UNSPECIFIED'>;

/**
 * An interaction with its conversation. Key: id. Every change raises `version`, except a claim (`model/store.ts`) and a
 * stall (`stalled-store.ts`).
 */
export interface InteractionTable
  extends Omit<
    Interaction,
    | 'linkToken'
    | 'data'
    | 'withdrawn'
    | 'reminders'
    | 'status'
    | 'priority'
    | 'context'
    | 'version'
    | 'createdAt'
    | 'expiresAt'
    | 'botVersion'
    | 'startedAt'
    | 'completedAt'
    | 'updatedAt'
    | 'isTest'
    | 'availableFrom'
  > {
  status: Status;
  priority: Priority;
  workspaceId: string;
  /** The version that the conversation runs on; null until it has started. */
  botVersion: number | null;
  /** The version of the customer's fence at creation; 0 without a fence. */
  fenceVersion: Generated<number>;
  /** The version of the customer's last anonymisation that redacted the row; 0 for none. */
  redactedVersion: Generated<number>;
  context: Json<Interaction['context']>;
  expiresAt: Date | null;
  /** Customers do not see it before, while it is Pending. Null: at once. */
  availableFrom: Date | null;
  createdAt: Generated<Date>;
  version: Generated<number>;
  /** Part of the link's token: raising it revokes the link and its sessions. */
  linkVersion: Generated<number>;
  /** Null until the conversation has started, like the next two. */
  state: Json<ConversationState> | null;
  transcript: Json<Entry[]> | null;
  evaluation: Json<Record<string, string>> | null;
  /** The size of context, state, transcript and evaluation together. */
  bytes: GeneratedAlways<number>;
  /** When its conversation started first; null before. */
  startedAt: Date | null;
  /** When it became Completed; null before. */
  completedAt: Date | null;
  /** When it stalls without another answer. Null: it does not, or has. */
  stallsAt: Date | null;
  /** Sequence number of the newest entry of the transcript; 0 without one. */
  seq: Generated<number>;
  /** When to ask the model; null if the conversation does not wait for it. A claim moves it to the end of its lease. */
  modelDueAt: Date | null;
  /** How often the current question was claimed. */
  modelTries: Generated<number>;
  /** The `traceparent` (W3C Trace Context) of the call that made the conversation wait; null without one. */
  modelTraceparent: string | null;
  /** When it changed last, in milliseconds. A trigger sets it, and the next one. */
  updatedAt: Generated<Date>;
  /** The id of the transaction of its last change (xid8). */
  changedIn: Generated<string>;
  /** It was created Completed or Expired. */
  isImport: Generated<boolean>;
  /** It is a test interaction: it counts nowhere. */
  isTest: Generated<boolean>;
  /** When it was offered last; null if it was not. Only for the contact policy: see `offeredAt`. */
  offeredAt: Date | null;
  /**
   * The last step shown, set by a trigger when the conversation expires or stalls. It stays when the conversation goes
   * on. Null without a step.
   */
  lastStep: Generated<string | null>;
}

/** An accepted message of a customer. Key: interactionId, clientMessageId. */
export interface MessageTable {
  interactionId: string;
  workspaceId: string;
  clientMessageId: string;
  /** SHA-256 over the payload. */
  fingerprint: Buffer;
  createdAt: Generated<Date>;
}

/** An interaction that was deleted. Key: id. Kept as long as the event log. */
export interface DeletedInteractionTable {
  id: string;
  workspaceId: string;
  customerId: string;
  /** The version of the deletion of its customer; 0 if the interaction was deleted alone. */
  customerVersion: number;
  deletedAt: Generated<Date>;
}

/** How often the customers of a workspace may be offered interactions. Key: workspaceId. Null: no limit. */
export interface ContactPolicyTable {
  workspaceId: string;
  anyBot: ColumnType<ContactLimit | null, string | null, string | null>;
  sameBot: ColumnType<ContactLimit | null, string | null, string | null>;
  /** Rises with each change. */
  version: Generated<number>;
}

/** When a deleted interaction was offered. Key: id. Kept for the most days of a policy, or as long as its customer. */
export interface PastContactTable {
  id: string;
  workspaceId: string;
  customerId: string;
  botId: string;
  offeredAt: Date;
}

/** `interaction_count`: updated by triggers, see `countRows`. */
export interface InteractionCountTable {
  workspaceId: string;
  botId: string;
  status: Status;
  priority: Priority;
  slot: number;
  n: number;
}

export type ListedInstant = 'created' | 'updated' | 'completed';

/** Interactions by the UTC days of their instants: updated by triggers, see `countRows`. */
export interface InteractionDayCountTable {
  workspaceId: string;
  instant: ListedInstant;
  day: string;
  slot: number;
  n: number;
}

/**
 * The entries of evaluations, kept by triggers. `digest` is made of `key:value` (`evaluation_digest`). Key: all three.
 */
export interface EvaluationValueTable {
  workspaceId: string;
  digest: string;
  interactionId: string;
}

/** When an interaction is available, and what is due (`Availability`). Key: interactionId. */
export interface AvailabilityTable {
  interactionId: string;
  workspaceId: string;
  availableAt: Date;
  isAnnouncing: boolean;
  isAnnounced: Generated<boolean>;
  reminders: number[];
  nextReminder: Generated<number>;
  /** When the next thing is due. Null: nothing, or its interaction was not offered any more then. */
  dueAt: Date | null;
}

export interface Tables extends AuditTables {
  bot: BotTable;
  botVersion: BotVersionTable;
  botDraft: BotDraftTable;
  presence: PresenceTable;
  openLink: OpenLinkTable;
  interaction: InteractionTable;
  interactionCount: InteractionCountTable;
  interactionDayCount: InteractionDayCountTable;
  evaluationValue: EvaluationValueTable;
  message: MessageTable;
  availability: AvailabilityTable;
  deletedInteraction: DeletedInteractionTable;
  contactPolicy: ContactPolicyTable;
  pastContact: PastContactTable;
  eventLog: EventLogTable;
  idempotencyRecord: IdempotencyTable;
}
