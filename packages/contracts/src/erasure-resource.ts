import type { Erasure } from './gen/parley/customer/v1/customer.ts';
import { apiTimestamp } from './interaction-resource.ts';

/**
 * Returns an erasure as the API shows it and its receipt signs it, without the receipt. Throws if the service left out
 * the time of the request or the counts.
 */
export function erasureResource({ id, customerId, kind, requestedBy, ...row }: Erasure) {
  const { requestedAt, completedAt, removed } = row;
  if (!requestedAt || !removed) throw new Error('a service left out a required value of an erasure');
  return {
    id,
    customerId,
    kind,
    requestedAt: apiTimestamp(requestedAt),
    completedAt: completedAt && apiTimestamp(completedAt),
    requestedBy,
    stores: [
      { store: 'customer' as const, removed: removed.customers },
      { store: 'interaction' as const, removed: removed.interactions },
      { store: 'webhook' as const, removed: removed.events },
    ],
  };
}
