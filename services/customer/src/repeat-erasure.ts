import type { RepeatErasureRequest, RepeatErasureResponse } from '@parley/contracts/customer/v1/customer';
import { invalidRequest } from '@parley/runtime/errors';
import { anonymise, type Anonymisers, deleteCustomer } from './anonymise.ts';

/**
 * Begins an erasure again that a restore of a backup has undone. Does nothing if there is no such customer, or if the
 * one with this id was created after the erasure was requested.
 */
export async function repeatErasure(
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
