import type { ConversationState, Entry } from '@parley/bot/engine';
import type { BotDefinition } from '@parley/bot/definition';
import type { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { OutboxTable } from '@parley/events/outbox';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

// JSON columns are written as text and read as what they hold.
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
export interface BotVersionTable extends Omit<BotVersion, 'createdAt'> {
  botId: string;
  workspaceId: string;
  definition: Json<BotDefinition>;
  createdAt: Generated<Date>;
}

export type Status = Exclude<Interaction['status'], 'STATUS_UNSPECIFIED'>;
export type Priority = Exclude<Interaction['priority'], 'PRIORITY_UNSPECIFIED'>;

/** An interaction with its talk. Key: id. Every change of a row raises `version`, but for a lease (`model-store.ts`). */
export interface InteractionTable
  extends Omit<
    Interaction,
    'linkToken' | 'data' | 'status' | 'priority' | 'context' | 'version' | 'createdAt' | 'expiresAt'
  > {
  status: Status;
  priority: Priority;
  workspaceId: string;
  botId: string;
  /** The version that the talk runs on; null until it has started. */
  botVersion: number | null;
  /** The version of the customer's fence when the interaction was made; 0 where there was none. */
  fenceVersion: Generated<number>;
  /** The version of the customer for whose anonymisation it was last redacted; 0 for never. */
  redactedVersion: Generated<number>;
  context: Json<Interaction['context']>;
  expiresAt: Date | null;
  createdAt: Generated<Date>;
  version: Generated<number>;
  /** Part of the link's token: raising it revokes the link and its sessions. */
  linkVersion: Generated<number>;
  /** Sessions issued before this are dead; null for none. */
  sessionsFrom: Date | null;
  /** Null until the talk has started, as are the three that follow. */
  state: Json<ConversationState> | null;
  transcript: Json<Entry[]> | null;
  evaluation: Json<Record<string, string>> | null;
  /** Of context, state, transcript and evaluation together. */
  bytes: GeneratedAlways<number>;
  /** Sequence number of the newest entry of the transcript; 0 without one. */
  seq: Generated<number>;
  /** When the model is to be asked; null when the talk does not wait for it. Pushed back by who asks: a lease. */
  modelDueAt: Date | null;
  /** How often a process has taken the question that waits. */
  modelTries: Generated<number>;
  /** The `traceparent` of what made the talk wait for the model, a W3C trace context; null where there was none. */
  modelTraceparent: string | null;
}

/** A customer's message that was taken. Key: interactionId, clientMessageId. */
export interface MessageTable {
  interactionId: string;
  workspaceId: string;
  clientMessageId: string;
  /** SHA-256 over the payload. */
  fingerprint: Buffer;
  createdAt: Generated<Date>;
}

/** `interaction_count`: kept by triggers, see `countRows`. */
export interface InteractionCountTable {
  workspaceId: string;
  botId: string;
  status: Status;
  priority: Priority;
  slot: number;
  n: number;
}

/** Customers that were anonymised; see `fence-store.ts`. Key: workspaceId, customerId. */
export interface FenceTable {
  workspaceId: string;
  customerId: string;
  /** Details of the customer from before this version may not be written. */
  version: number;
  /** Sessions from before this are dead. */
  raisedAt: Date;
}

/** The schema `interaction`. */
export interface Tables {
  bot: BotTable;
  botVersion: BotVersionTable;
  interaction: InteractionTable;
  interactionCount: InteractionCountTable;
  message: MessageTable;
  fence: FenceTable;
  outbox: OutboxTable;
  idempotencyRecord: IdempotencyTable;
}
