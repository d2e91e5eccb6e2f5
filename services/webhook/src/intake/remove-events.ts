import type { InteractionDeleted } from '@parley/contracts/events/v1/interaction';
import { interactionDeleted } from '@parley/contracts/events';
import type { Handle, Received, Take, Share } from '@parley/events/consumer';
import { tryToLockFence } from '@parley/postgres/fence';
import { withPartitions } from '@parley/postgres/schema/partitions';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import { partitioned } from '../deliveries/partitions.ts';
import type { Db, Trx } from '../schema.ts';
import { type DeletedInteractions, removeBodies } from './removal-store.ts';

interface Dependencies {
  db: Db;
  /** Called after a commit with the ids of webhooks whose next delivery may be due. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Removes what is stored about deleted interactions (`removeBodies`). Returns how many events are about them. A
 * repeated call has the same result.
 */
export function removeEvents(dependencies: Dependencies, deleted: DeletedInteractions): Promise<number> {
  return remove(dependencies, async () => deleted);
}

/** Runs the removal in a transaction, with what it is about, if anything. */
async function remove(
  { db, onDeliveries }: Dependencies,
  whatOf: (trx: Trx) => Promise<DeletedInteractions | undefined>,
): Promise<number> {
  const { events, webhookIds } = await withPartitions(db, partitioned, () =>
    inTransaction(db, async (trx) => {
      const deleted = await whatOf(trx);
      return deleted ? removeBodies(trx, deleted) : { events: 0, webhookIds: [] };
    }),
  );
  if (webhookIds.length > 0) onDeliveries(webhookIds);
  return events;
}

/**
 * Returns a handler that removes what is stored about deleted interactions, and passes all other events on. Each
 * customer has a transaction of its own, so that two of them cannot wait for each other's fences. While another removal
 * of the customer is under way, the events wait.
 */
export function withDeletions(dependencies: Dependencies, others: Handle<unknown>): Handle<unknown> {
  return async (received, take, share) => {
    for (const ofCustomer of deletionsByCustomer(received))
      await removeOnce(dependencies, ofCustomer, take, share);
    const rest = received.filter((event) => !isDeletion(event));
    if (rest.length > 0) await others(rest, take, share);
  };
}

/** Returns whether the event is the deletion of an interaction. */
export function isDeletion(event: Pick<Received<unknown>, 'type'>): event is Received<InteractionDeleted> {
  return event.type.subject === interactionDeleted.subject;
}

function deletionsByCustomer(received: readonly Received<unknown>[]) {
  return Map.groupBy(received.filter(isDeletion), ({ message: { workspaceId, customerId } }) =>
    JSON.stringify([workspaceId, customerId]),
  ).values();
}

async function removeOnce(
  dependencies: Dependencies,
  events: readonly Received<InteractionDeleted>[],
  take: Take,
  share: Share,
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { workspaceId, customerId } = first.message;
  const ids = events.map(({ id }) => id);
  await remove(dependencies, async (trx) => {
    if (!(await tryToLockFence(trx, { workspaceId, customerId }))) {
      share.leave(ids, { mayPass: true });
      return undefined;
    }
    await take(trx, ids);
    return { workspaceId, customerId, interactionIds: events.map(({ message }) => message.interactionId) };
  });
}
