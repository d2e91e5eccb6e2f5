import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated } from 'kysely';

/** Key: workspaceId, id. Every change of a row raises `version`. */
export interface CustomerTable extends Omit<Customer, 'version'> {
  workspaceId: string;
  version: Generated<number>;
  createdAt: Generated<Date>;
}

/** `customer_count`: updated by triggers, see `countRows`. */
export interface CustomerCountTable {
  workspaceId: string;
  slot: number;
  n: number;
}

/** Anonymisations that have begun and are not done. Key: workspaceId, customerId. */
export interface AnonymisationTable {
  workspaceId: string;
  customerId: string;
  /** The first version of the customer without the details. */
  version: number;
  /** The texts that every store must remove. */
  details: string[];
  /** Whether another round must follow, because of a call during the round of this version. */
  askedAgain: Generated<boolean>;
  /** The last heartbeat. */
  aliveAt: Generated<Date>;
}

/** The schema `customer`. */
export interface Tables {
  customer: CustomerTable;
  customerCount: CustomerCountTable;
  anonymisation: AnonymisationTable;
  idempotencyRecord: IdempotencyTable;
}
