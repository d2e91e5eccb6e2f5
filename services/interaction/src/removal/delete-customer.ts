import type {
  DeleteCustomerInteractionsRequest,
  DeleteCustomerInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { type FencedCustomer, raiseFence } from '@parley/postgres/fence';
import { idPositions } from '@parley/runtime/cursor';
import { NIL } from 'uuid';
import type { Deps } from '../deps.ts';
import { deleteInteractions } from './delete-interactions.ts';
import { deletePastContacts, listDeletedBy } from './deletion-store.ts';
import { listIdsBeforeFence } from './redaction-store.ts';
import { requireVersion } from './redact-customer.ts';

/** Deleting one takes little: its rows, a note and an event. */
const rowsPerPage = 100;

/**
 * Deletes a page of a customer's interactions. Raises the fence first, so no call can create one for the deleted
 * customer behind a finished page, and interactions of a customer that was created again add no pages. Idempotent: a
 * repeated page has the interactions that it has deleted before.
 */
export async function deleteCustomerInteractions(
  deps: Pick<Deps, 'db' | 'relay' | 'watch'>,
  request: DeleteCustomerInteractionsRequest,
): Promise<DeleteCustomerInteractionsResponse> {
  const { workspaceId, customerVersion, pageToken } = request;
  requireVersion(request);
  const { id: after } = idPositions.read(pageToken, '/pageToken') ?? { id: NIL };
  await raiseFence(deps.db, request, customerVersion);
  const ids = await pageOf(deps, request, after);
  await deleteInteractions(deps, 'customer', { workspaceId, ids, customerVersion });
  await deletePastContacts(deps.db, request);
  return {
    interactionIds: ids,
    nextPageToken: (ids.length === rowsPerPage && ids.at(-1)) || '',
  };
}

/** Returns the next ids behind `after`: of stored interactions, and of interactions that this deletion has deleted. */
async function pageOf(
  { db }: Pick<Deps, 'db'>,
  customer: FencedCustomer & { customerVersion: number },
  after: string,
): Promise<string[]> {
  const { customerVersion } = customer;
  // In this order: a concurrent page moves ids from the first list to the second.
  const rows = await listIdsBeforeFence(db, customer, customerVersion, after, rowsPerPage);
  const deleted = await listDeletedBy(db, customer, after, rowsPerPage);
  return [...new Set([...rows, ...deleted])].toSorted().slice(0, rowsPerPage);
}
