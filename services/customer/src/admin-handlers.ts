import type {
  CustomerAdminServiceService,
  RepeatErasureRequest,
  RepeatErasureResponse,
} from '@parley/contracts/customer/v1/customer';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest } from '@parley/runtime/errors';
import { anonymise, type Anonymisers, deleteCustomer } from './anonymise.ts';
import { rotateErasureKey } from './erasure-keys.ts';

/** Returns the handlers of the operator's calls. */
export function adminHandlers(
  dependencies: Anonymisers & Parameters<typeof rotateErasureKey>[0],
): Handlers<CustomerAdminServiceService> {
  return {
    rotateErasureKey: () => rotateErasureKey(dependencies),
    repeatErasure: (request, { signal }) => repeatErasure(dependencies, request, signal),
  };
}

/**
 * Begins an erasure again that a restore of a backup has undone. Does nothing if there is no such customer, or if the
 * one with this id was created after the erasure was requested.
 */
async function repeatErasure(
  anonymisers: Anonymisers,
  { workspaceId, customerId, kind, requestedAt }: RepeatErasureRequest,
  signal: AbortSignal,
): Promise<RepeatErasureResponse> {
  if (!requestedAt) throw invalidRequest([{ pointer: '/body/requestedAt', detail: 'Is required' }]);
  const concerned = await anonymisers.db
    .selectFrom('customer')
    .select('version')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', customerId)
    .where('createdAt', '<=', requestedAt)
    .executeTakeFirst();
  if (!concerned) return { erasureId: '' };
  const erase = kind === 'deletion' ? deleteCustomer : anonymise;
  const request = { workspaceId, id: customerId, waitSeconds: 0, requestedBy: 'operator' };
  const { erasureId } = await erase(anonymisers, request, signal);
  return { erasureId };
}
