import { idPositions } from '@parley/runtime/cursor';
import type {
  ExportCustomerRequest,
  ExportCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { auditExport } from '../interactions/audited-reads.ts';
import { expireDue } from '../changing/expiry-store.ts';
import { digestOfSubject, interactionRecord, pageOfSubject } from './subject-store.ts';

/** Returns the interactions of a customer behind `after`, with everything that is stored about them. */
export async function exportCustomer(
  db: Kysely<Tables>,
  { workspaceId, customerId, after: given, showsNone }: ExportCustomerRequest,
  linkKeys: Keyring,
): Promise<ExportCustomerResponse> {
  const after = idPositions.read(given ?? '', '/after')?.id;
  if (after === undefined) await expireDue(db, workspaceId);
  // Before the rows: a change in between shows in the next digest.
  const digest = after === undefined ? await digestOfSubject(db, workspaceId, customerId) : undefined;
  const { rows, nextAfter } = await pageOfSubject(db, workspaceId, customerId, after);
  if (after === undefined && !showsNone) {
    await auditExport(db, workspaceId, 'customer.exported', [{ type: 'customer', id: customerId }]);
  }
  return { interactions: rows.map((row) => interactionRecord(row, linkKeys)), nextAfter, digest };
}
