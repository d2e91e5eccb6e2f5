import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Received } from '@parley/events/consumer';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/logger';
import { v7 as uuidv7 } from 'uuid';
import { withPartitions } from '../deliveries/partitions.ts';
import type { Db } from '../schema.ts';
import { storeEventsAndDeliveries } from './event-store.ts';

interface FanOutOptions {
  db: Db;
  logger: Logger;
  /** Returns the histories, which events do not carry. */
  interactions: Pick<RpcClient<InteractionServiceService>, 'listCompletionBodies'>;
  /** Called after a commit with the ids of webhooks with due deliveries. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Returns the handler of the consumer. It is idempotent: it requests the bodies of the events, and stores events and
 * deliveries in one transaction per response. It drops events without a completed interaction.
 */
export function fanOut({ db, logger, interactions, onDeliveries }: FanOutOptions) {
  return async (received: readonly Received<InteractionCompleted>[]): Promise<void> => {
    let rest = [...new Map(received.map((one) => [one.message.interactionId, one])).values()];
    while (rest.length > 0) {
      const completions = rest.map(({ message: { workspaceId, interactionId } }) => ({
        workspaceId,
        interactionId,
      }));
      // The response has the first bodies, up to its size limit.
      const { bodies } = await interactions.listCompletionBodies({ completions }, { requestId: uuidv7() });
      if (bodies.length === 0) throw new Error('the response has no bodies');
      const events = rest.flatMap(({ message, raisedAt, traceparent }, at) => {
        const { interactionId: id, workspaceId, customerId } = message;
        const body = bodies[at];
        if (!body) return [];
        if (body.length === 0) {
          logger.error({ eventId: id }, 'an event without a completed interaction is dropped');
          return [];
        }
        // By the database's clock, like the times of webhooks.
        const completedAt = raisedAt ?? message.completedAt;
        return { id, workspaceId, customerId, body, completedAt, traceparent: traceparent ?? null };
      });
      if (events.length > 0)
        onDeliveries(await withPartitions(db, () => storeEventsAndDeliveries(db, events)));
      rest = rest.slice(bodies.length);
    }
  };
}
