import type { RedactEventsRequest } from '@parley/contracts/webhook/v1/webhook';
import { raiseFence } from '@parley/postgres/fence';
import type { Db } from '../schema.ts';
import { type Bodies, withBodies } from './bodies.ts';
import { eventsOfInteractions, replaceBodies } from './event-store.ts';

/**
 * Gets the bodies of these interactions' stored events again. Raises the fence first: events that are stored later have
 * newer bodies. Returns how many events this erasure has redacted, now or earlier, and no other one before.
 */
export async function redactEvents(
  { db, interactions }: { db: Db; interactions: Bodies },
  { workspaceId, customerId, customerVersion, firstVersion, interactionIds }: RedactEventsRequest,
  requestId: string,
): Promise<number> {
  await raiseFence(db, { workspaceId, customerId }, customerVersion);
  const events = await eventsOfInteractions(db, workspaceId, interactionIds);
  const rest = events.filter(({ redactedVersion }) => (redactedVersion ?? 0) < customerVersion);
  for await (const part of withBodies(interactions, rest, requestId))
    await replaceBodies(db, { workspaceId, customerVersion }, part);
  const isRemoved = (version: number | null): boolean => version === null || version >= (firstVersion ?? 0);
  return events.filter(({ redactedVersion }) => isRemoved(redactedVersion)).length;
}
