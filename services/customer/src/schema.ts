import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { IdempotencyTable } from '@parley/postgres/idempotency';
import type { Generated } from 'kysely';

/** Key: workspaceId, id. Every change of a row raises `version`. */
export interface CustomerTable extends Omit<Customer, 'version'> {
  workspaceId: string;
  version: Generated<number>;
  createdAt: Generated<Date>;
}

/** `customer_count`: kept by triggers, see `countRows`. */
export interface CustomerCountTable {
  workspaceId: string;
  slot: number;
  n: number;
}

/** Anonymisations that have begun and are not done. Key: workspaceId, customerId. */
export interface AnonymisationTable {
  workspaceId: string;
  customerId: string;
  /** The version of the customer that has the details no more. */
  version: number;
  /** What has to go from every store. */
  details: string[];
  /** Whether somebody has asked while the round of this version was under way: another is due after it. */
  askedAgain: Generated<boolean>;
  /** When somebody was last at it. */
  aliveAt: Generated<Date>;
}

/** The schema `customer`. */
export interface Tables {
  customer: CustomerTable;
  customerCount: CustomerCountTable;
  anonymisation: AnonymisationTable;
  idempotencyRecord: IdempotencyTable;
}
