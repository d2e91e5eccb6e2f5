import { audit } from '@parley/audit/rows';
import { auditShown, type Shown } from '@parley/audit/shown';
import type { AuditTarget } from '@parley/audit/table';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { MessageRow } from './store.ts';

/** Records that a person was shown conversations, before the answer. An interaction that has not begun has none. */
export async function auditConversations(
  deps: { db: Kysely<Tables>; shown: Shown },
  workspaceId: string,
  action: 'interaction.opened' | 'interactions.listed',
  rows: readonly Pick<MessageRow, 'id' | 'transcript'>[],
): Promise<void> {
  const things = rows
    .filter(({ transcript }) => transcript !== null)
    .map(({ id }) => ({ type: 'interaction', id }));
  await auditShown(deps, { workspaceId, action, things });
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
