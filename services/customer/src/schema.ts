import type { AuditTables } from '@parley/audit/table';
import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { Details } from '@parley/contracts/customer-details';
import type { EventLogTable } from '@parley/events/log';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated } from 'kysely';

/** Key: workspaceId, id. Every change of a row raises `version`. */
export interface CustomerTable extends Details, Omit<Customer, 'version' | 'deletedVersion'> {
  workspaceId: string;
  version: Generated<number>;
  /** The version of the last deletion of an earlier customer with this id; null if there was none. */
  deletedVersion: number | null;
  createdAt: Generated<Date>;
}

/** `customer_count`: updated by triggers, see `countRows`. */
export interface CustomerCountTable {
  workspaceId: string;
  slot: number;
  n: number;
}

interface RemovedColumns {
  removedCustomers: Generated<number>;
  removedInteractions: Generated<number>;
  removedEvents: Generated<number>;
}

/**
 * Anonymisations and deletions that have begun and are not done. A deleted row becomes an erasure. Key: workspaceId,
 * customerId.
 */
export interface AnonymisationTable extends RemovedColumns {
  workspaceId: string;
  customerId: string;
  kind: Generated<'anonymisation' | 'deletion'>;
  /** The first version of the customer without the details. Each run has its own. Of a deletion: its only one. */
  version: number;
  /** The texts that every store must remove. */
  details: string[];
  /** Whether another run must follow, because of a call during the run of this version. */
  askedAgain: Generated<boolean>;
  erasureId: Generated<string>;
  requestedAt: Generated<Date>;
  /** The API key of its first call, or the id of the person. */
  requestedBy: string;
  /** The version of the first run. */
  firstVersion: Generated<number>;
  /** The version of the last finished run; 0 before. */
  finishedVersion: Generated<number>;
  /** The next page of the run. */
  pageToken: Generated<string>;
  /** When a replica may process the next page: now, or the end of a lease. */
  dueAt: Generated<Date>;
  /**
   * The lowest number is next. A trigger sets the first one, and each claim sets the next one, behind the other
   * erasures of the workspace.
   */
  turn: Generated<number>;
}

/** How long a workspace keeps interactions, and the sweep that deletes the others. Key: workspaceId. */
export interface RetentionTable {
  workspaceId: string;
  /** Null: for ever. */
  completedDays: number | null;
  endedDays: number | null;
  draftDays: number | null;
  /** Rises with every change of the days. */
  version: Generated<number>;
  /** The next page of the sweep; empty for the first. */
  pageToken: Generated<string>;
  /** When a replica may process the next page: a time, or the end of a lease. */
  dueAt: Generated<Date>;
}

/** Erasures that are done. Key: id. */
export interface FinishedErasureTable extends RemovedColumns {
  id: string;
  workspaceId: string;
  customerId: string;
  kind: string;
  requestedAt: Date;
  completedAt: Date;
  requestedBy: string;
  /** A JWS over the erasure as the API shows it. */
  receipt: string;
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

/** A view of erasures that are not done (`completedAt` and `receipt` are null) and of finished ones. Key: id. */
export interface ErasureView
  extends Omit<FinishedErasureTable, 'completedAt' | 'receipt'>,
    Nullable<Pick<FinishedErasureTable, 'completedAt' | 'receipt'>> {}

/** The keys of receipts (Ed25519). Key: kid. */
export interface ErasureKeyTable {
  kid: string;
  /** The public part, 32 bytes as base64url. */
  x: string;
  /** The private part, encrypted. Null after a rotation. */
  sealed: string | null;
  createdAt: Generated<Date>;
}

export interface Tables extends AuditTables {
  customer: CustomerTable;
  customerCount: CustomerCountTable;
  anonymisation: AnonymisationTable;
  retention: RetentionTable;
  finishedErasure: FinishedErasureTable;
  erasure: ErasureView;
  erasureKey: ErasureKeyTable;
  idempotencyRecord: IdempotencyTable;
  eventLog: EventLogTable;
}
