import type { ActionOn } from '@parley/contracts/audit-actions';
import { detailNames, type Details, perDetail } from '@parley/contracts/customer-details';
import { audit, type AuditedAction, changesBetween } from '@parley/audit/rows';
import type { AuditChanges } from '@parley/audit/table';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

export function auditCustomer(
  trx: Kysely<Tables>,
  workspaceId: string,
  id: string,
  action: ActionOn<'customer'>,
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, actionOn(workspaceId, id, action, changes));
}

export function actionOn(
  workspaceId: string,
  id: string,
  action: ActionOn<'customer'>,
  changes?: AuditChanges,
): AuditedAction {
  return { workspaceId, action, targets: [{ type: 'customer', id }], changes };
}

/** Returns which details differ. Their values are hidden. */
export function changedDetails(before: Details, after: Details): AuditChanges {
  return changesBetween(
    before,
    perDetail((name) => after[name]),
    detailNames,
  );
}
