import type { InteractionTable } from '../schema.ts';

/**
 * Whether a column can hold something personal of the customer. A column that is missing here does not compile, and a
 * test compares them with the database. A redaction replaces all of them (`redaction.ts`).
 */
export const holdsPersonalData = {
  id: false,
  workspaceId: false,
  customerId: false,
  botId: false,
  botVersion: false,
  type: false,
  typeLabel: false,
  status: false,
  priority: false,
  fenceVersion: false,
  redactedVersion: false,
  context: true,
  expiresAt: false,
  availableFrom: false,
  createdAt: false,
  version: false,
  linkVersion: false,
  state: true,
  transcript: true,
  evaluation: true,
  bytes: false,
  startedAt: false,
  completedAt: false,
  stallsAt: false,
  seq: false,
  modelDueAt: false,
  modelTries: false,
  modelTraceparent: false,
  updatedAt: false,
  changedIn: false,
  isImport: false,
  isTest: false,
  offeredAt: false,
  lastStep: false,
} as const satisfies Record<keyof InteractionTable, boolean>;

type Columns = typeof holdsPersonalData;

export type PersonalColumn = {
  [Column in keyof Columns]: Columns[Column] extends true ? Column : never;
}[keyof Columns];
