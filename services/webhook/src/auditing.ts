import { audit, hidden } from '@parley/audit/rows';
import type { AuditChanges, AuditTarget } from '@parley/audit/table';
import type { Db } from './schema.ts';

/** Records an action about a webhook, in the transaction of the change. */
export function auditWebhook(
  trx: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  action: string,
  { changes, others = [] }: { changes?: AuditChanges; others?: AuditTarget[] } = {},
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'webhook', id }, ...others], changes });
}

/** Returns a target as the audit log shows it: without its query, which often has a secret. */
export function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search ? `?${hidden}` : ''}`;
}
