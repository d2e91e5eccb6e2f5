import type { Handle } from '@parley/events/consumer';
import { withPartitions } from '@parley/postgres/partitions';
import type { Compute } from '@parley/runtime/compute-queue';
import type { Logger } from '@parley/runtime/logger';
import { v7 as uuidv7 } from 'uuid';
import { partitioned } from '../deliveries/partitions.ts';
import type { Db } from '../schema.ts';
import { decide } from '../subscriptions/filtering.ts';
import { loadSubscriptions, subscribersOf } from '../subscriptions/subscription-store.ts';
import { type Bodies, withBodies } from './bodies.ts';
import { storeEventsAndDeliveries } from './event-store.ts';
import { kindOf } from './kinds.ts';

interface FanOutOptions {
  db: Db;
  logger: Logger;
  /** Evaluates filters. */
  compute: Compute;
  /** Returns what events do not carry. */
  interactions: Bodies;
  /** Called after a commit with the ids of webhooks with due deliveries. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Returns the handler of the consumer. Of the events that a webhook wants, it gets the bodies, evaluates the filters,
 * and stores events and deliveries in one transaction per response. Events of interactions that are gone are dropped.
 */
export function fanOut({ db, logger, compute, interactions, onDeliveries }: FanOutOptions): Handle<unknown> {
  return async (received, take) => {
    const events = received.map(({ id, type, raisedAt, traceparent = null, message }) => {
      const { name, read } = kindOf(type);
      return { id, name, raisedAt, traceparent, ...read(message) };
    });
    const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))];
    const subscriptions = await loadSubscriptions(db, workspaceIds);
    const wanted = events.flatMap((event) => {
      const subscribers = subscribersOf(subscriptions, event);
      return subscribers.length > 0 ? { ...event, subscribers } : [];
    });
    for await (const part of withBodies(interactions, wanted, uuidv7())) {
      const present = part.filter(({ id, interaction, workspaceId }) => {
        if (interaction.length === 0)
          logger.warn({ eventId: id, workspaceId }, 'the interaction of an event is gone');
        return interaction.length > 0;
      });
      const decided = await Promise.all(
        present.map(async (event) => ({
          ...event,
          decisions: await decide(compute, event, event.subscribers),
        })),
      );
      const store = () => storeEventsAndDeliveries(db, decided, take);
      onDeliveries(await withPartitions(db, partitioned, store));
    }
  };
}
