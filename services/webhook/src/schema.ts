import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated } from 'kysely';

/** A subscription. Key: id. Every change of a row raises `version`. A deleted one stays for the log of deliveries. */
export interface WebhookTable extends Omit<Webhook, 'version'> {
  workspaceId: string;
  version: Generated<number>;
  /** Sealed; null once deleted, as is the fingerprint. */
  secretToken: string | null;
  secretTokenFingerprint: Buffer | null;
  /** Why it is not active: a caller said so, or its receiver answered 410. Null while it is active. */
  inactiveReason: 'user' | 'gone' | null;
  /** Null while it is inactive. */
  activeSince: Date | null;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
}

/** What a webhook's deliveries are signed with. Key: id. */
export interface SigningSecretTable {
  id: string;
  webhookId: string;
  workspaceId: string;
  /** Sealed. */
  secret: string;
  createdAt: Generated<Date>;
  /** Null for the newest. */
  expiresAt: Date | null;
}

/**
 * The inbox: events that have come. Key: id. A row may be here before its event: a body put in place by anonymisation
 * waits for it, and `receivedAt` is null until then.
 */
export interface EventTable {
  id: string;
  workspaceId: string;
  customerId: string;
  body: Buffer;
  traceparent: string | null;
  completedAt: Date | null;
  receivedAt: Date | null;
  /** The version of the customer for whose anonymisation the body was replaced; null when it never was. */
  redactedVersion: number | null;
}

/** pending: due or being tried; skipped: its webhook was deactivated; discarded: its webhook was deleted. */
export type DeliveryState = 'pending' | 'succeeded' | 'failed' | 'skipped' | 'discarded';

/** An event for a webhook. Key: id; one per event and webhook. */
export interface DeliveryTable {
  id: string;
  workspaceId: string;
  webhookId: string;
  eventId: string;
  state: DeliveryState;
  /** How many attempts were made and recorded. */
  attempts: number;
  /** When it may be taken: for the next attempt, or because the lease of who has it now has run out. */
  dueAt: Date;
  /** Of the worker that has it; whoever holds another token may not record a result. */
  leaseToken: string | null;
  /** Its event's body was replaced: excerpts of answers are not kept. */
  isRedacted: boolean;
  createdAt: Date;
  finishedAt: Date | null;
}

/** One HTTP try. Key: deliveryId, number (from 1). */
export interface AttemptTable {
  deliveryId: string;
  number: number;
  workspaceId: string;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** An `AttemptError`; null for success. */
  error: string | null;
  responseExcerpt: Buffer | null;
}

/** The schema `webhook`. */
export interface Tables {
  webhook: WebhookTable;
  signingSecret: SigningSecretTable;
  event: EventTable;
  delivery: DeliveryTable;
  attempt: AttemptTable;
  idempotencyRecord: IdempotencyTable;
}
