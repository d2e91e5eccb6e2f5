import { audit } from '@parley/audit/rows';
import type { AuditTarget } from '@parley/audit/table';
import { currentScope } from '@parley/runtime/work-scope';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { MessageRow } from './store.ts';

/**
 * Records that a person was shown conversations, before the answer. Those of keys would be too many, and programs do
 * not read them.
 */
export async function auditShown(
  db: Kysely<Tables>,
  workspaceId: string,
  action: 'interaction.opened' | 'interactions.listed',
  rows: readonly MessageRow[],
): Promise<void> {
  if (currentScope().actor?.type !== 'person') return;
  const shown = rows.filter(({ transcript }) => transcript !== null);
  const targets = shown.map(({ id }) => ({ type: 'interaction', id }));
  if (targets.length > 0) await audit(db, { workspaceId, action, targets });
}

/** Records an export, before its first row is sent. */
export async function auditExport(
  db: Kysely<Tables>,
  workspaceId: string,
  action: 'interactions.exported' | 'customer.exported',
  targets: readonly AuditTarget[],
): Promise<void> {
  await audit(db, { workspaceId, action, targets });
}
