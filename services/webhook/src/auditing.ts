import type { AuditAction } from '@parley/contracts/audit-actions';
import { audit } from '@parley/audit/rows';
import type { AuditChanges, AuditTarget } from '@parley/audit/table';
import { hidden } from '@parley/contracts/hidden';
import { currentWork } from '@parley/runtime/scheduling/work';
import type { Db } from './schema.ts';

export function auditWebhook(
  trx: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  action: AuditAction,
  { changes, others = [] }: { changes?: AuditChanges; others?: AuditTarget[] } = {},
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'webhook', id }, ...others], changes });
}

export function isByPortal(): boolean {
  return currentWork().actor?.type === 'portal';
}

/** Returns a target as the audit log shows it: without its query, which often has a secret. */
export function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search ? `?${hidden}` : ''}`;
}
