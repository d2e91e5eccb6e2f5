import type { RedactEventsRequest } from '@parley/contracts/webhook/v1/webhook';
import { raiseFence } from '@parley/postgres/fence';
import type { Db } from '../schema.ts';
import { type Bodies, withBodies } from './bodies.ts';
import { eventsOfInteractions, replaceBodies } from './event-store.ts';
import { removeEvents } from './remove-events.ts';

interface Dependencies {
  db: Db;
  interactions: Bodies;
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Gets the bodies of these interactions' stored events again. Raises the fence first: events that are stored later have
 * newer bodies. The bodies of deleted interactions are removed. Returns how many events this erasure has redacted or
 * removed, now or earlier, and no other one before `firstVersion`.
 */
export async function redactEvents(
  dependencies: Dependencies,
  { workspaceId, customerId, customerVersion, firstVersion, interactionIds: concerned }: RedactEventsRequest,
  requestId: string,
): Promise<number> {
  const { db, interactions } = dependencies;
  await raiseFence(db, { workspaceId, customerId }, customerVersion);
  const events = await eventsOfInteractions(db, workspaceId, concerned);
  const rest = events.filter(({ redactedVersion }) => (redactedVersion ?? 0) < customerVersion);
  for await (const part of withBodies(interactions, rest, { requestId })) {
    const deleted = part.filter(({ interaction }) => interaction.length === 0);
    const interactionIds = [...new Set(deleted.map(({ interactionId }) => interactionId))];
    if (deleted.length > 0) await removeEvents(dependencies, { workspaceId, customerId, interactionIds });
    const replaced = part.filter(({ interaction }) => interaction.length > 0);
    await replaceBodies(db, { workspaceId, customerVersion }, replaced);
  }
  const isRemoved = (version: number | null): boolean => version === null || version >= (firstVersion ?? 0);
  return events.filter(({ redactedVersion }) => isRemoved(redactedVersion)).length;
}
