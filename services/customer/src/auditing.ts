import { audit } from '@parley/audit/rows';
import type { AuditChanges } from '@parley/audit/table';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Records a change of a customer, in its transaction. */
export function auditCustomer(
  trx: Kysely<Tables>,
  workspaceId: string,
  id: string,
  action: `customer.${'created' | 'updated' | 'anonymised' | 'deleted'}`,
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'customer', id }], changes });
}
