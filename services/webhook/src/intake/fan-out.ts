import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import type { Handle } from '@parley/events/consumer';
import { withPartitions } from '@parley/postgres/partitions';
import type { Logger } from '@parley/runtime/logger';
import { v7 as uuidv7 } from 'uuid';
import { partitioned } from '../log/retention-store.ts';
import type { Db } from '../schema.ts';
import { type Bodies, withBodies } from './bodies.ts';
import { storeEventsAndDeliveries } from './event-store.ts';

interface FanOutOptions {
  db: Db;
  logger: Logger;
  /** Returns the histories, which events do not carry. */
  interactions: Bodies;
  /** Called after a commit with the ids of webhooks with due deliveries. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Returns the handler of the consumer: it gets the bodies of the events, and stores events and deliveries in one
 * transaction per response. It drops events without a completed interaction.
 */
export function fanOut({
  db,
  logger,
  interactions,
  onDeliveries,
}: FanOutOptions): Handle<InteractionCompleted> {
  return async (received, take) => {
    const events = received.map(({ id, raisedAt, traceparent = null, message }) => {
      const { workspaceId, interactionId, customerId } = message;
      const name = 'InteractionCompleted';
      const status = 'Completed' as const;
      return { id, workspaceId, name, interactionId, status, customerId, raisedAt, traceparent };
    });
    for await (const part of withBodies(interactions, events, uuidv7())) {
      for (const { id, result } of part) {
        if (result.length === 0)
          logger.error({ eventId: id }, 'an event without a completed interaction is dropped');
      }
      const store = () =>
        storeEventsAndDeliveries(
          db,
          part.map((one) => ({ ...one, body: one.result })),
          take,
        );
      onDeliveries(await withPartitions(db, partitioned, store));
    }
  };
}
