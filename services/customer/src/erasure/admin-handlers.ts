import type {
  CustomerAdminServiceService,
  RepeatErasureRequest,
  RepeatErasureResponse,
} from '@parley/contracts/customer/v1/customer';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest } from '@parley/runtime/errors';
import { anonymise, type Anonymisers, deleteCustomer } from './anonymise.ts';
import { beginDeletion } from './deletion-store.ts';
import { rotateErasureKey } from './erasure-keys.ts';

export function adminHandlers(
  dependencies: Anonymisers & Parameters<typeof rotateErasureKey>[0],
): Handlers<CustomerAdminServiceService> {
  return {
    rotateErasureKey: () => rotateErasureKey(dependencies),
    repeatErasure: (request, { signal }) => repeatErasure(dependencies, request, signal),
  };
}

/**
 * Begins an erasure again that a restore of a backup has undone. Does nothing if the customer with this id was created
 * after the erasure was requested. Without a row, a deletion is repeated all the same: another service's data may have
 * been restored alone. An anonymisation is not: the names to look for are gone.
 */
async function repeatErasure(
  anonymisers: Anonymisers,
  { workspaceId, customerId, kind, requestedAt }: RepeatErasureRequest,
  signal: AbortSignal,
): Promise<RepeatErasureResponse> {
  if (!requestedAt) throw invalidRequest([{ pointer: '/body/requestedAt', detail: 'Is required' }]);
  const found = await anonymisers.db
    .selectFrom('customer')
    .select('createdAt')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (found && found.createdAt > requestedAt) return { erasureId: '' };
  if (!found) {
    if (kind !== 'deletion') return { erasureId: '' };
    const again = { ifVersion: null, requestedBy: 'operator', isRepeated: true };
    const begun = await beginDeletion(anonymisers.db, { workspaceId, customerId }, again);
    anonymisers.wakeRemoval();
    return { erasureId: begun?.erasureId ?? '' };
  }
  const erase = kind === 'deletion' ? deleteCustomer : anonymise;
  const request = { workspaceId, id: customerId, waitSeconds: 0, requestedBy: 'operator' };
  const { erasureId } = await erase(anonymisers, request, signal);
  return { erasureId };
}
