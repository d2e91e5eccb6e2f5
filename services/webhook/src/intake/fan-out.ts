import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Received } from '@parley/events/consumer';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/logger';
import { readTraceparent } from '@parley/runtime/telemetry';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tables } from '../schema.ts';
import { type IncomingEvent, takeEvents } from './event-store.ts';

interface FanOutOptions {
  db: Kysely<Tables>;
  logger: Logger;
  /** Who has the histories: events carry none. */
  interactions: Pick<RpcClient<InteractionServiceService>, 'listCompletionBodies'>;
  /** Called after a commit that left something to deliver. */
  onDeliveries: () => void;
}

/**
 * The consumer's handler: asks for the bodies of a batch of events, and then makes inbox rows and deliveries of it, all in
 * one statement. From then on a body is the same bytes for every attempt. Idempotent.
 */
export function fanOut({ db, logger, interactions, onDeliveries }: FanOutOptions) {
  return async (received: readonly Received<InteractionCompleted>[]): Promise<void> => {
    const each = [...new Map(received.map((one) => [one.message.interactionId, one])).values()];
    const bodies = await fetchBodies(
      interactions,
      each.map(({ message }) => message),
    );
    const events = each.flatMap((one, index) => {
      const body = bodies[index];
      if (body && body.length > 0) return [incoming(one, body)];
      // Nobody but its owner can have raised it, in the transaction that completed the interaction.
      logger.error({ eventId: one.message.interactionId }, 'an event of no completed interaction is dropped');
      return [];
    });
    if (events.length > 0 && (await takeEvents(db, events)) > 0) onDeliveries();
  };
}

/** The bodies in the order of the events; empty where the interaction is not known as completed. */
async function fetchBodies(
  interactions: FanOutOptions['interactions'],
  events: readonly InteractionCompleted[],
): Promise<Buffer[]> {
  const requestId = uuidv7();
  const bodies: Buffer[] = [];
  while (bodies.length < events.length) {
    const completions = events
      .slice(bodies.length)
      .map(({ workspaceId, interactionId }) => ({ workspaceId, interactionId }));
    const answer = await interactions.listCompletionBodies({ completions }, { requestId });
    if (answer.bodies.length === 0) throw new Error('no body was answered, not even an empty one');
    bodies.push(...answer.bodies);
  }
  return bodies;
}

function incoming(
  { message, raisedAt, traceparent }: Received<InteractionCompleted>,
  body: Buffer,
): IncomingEvent {
  const { interactionId: id, workspaceId, customerId } = message;
  // By the clock of the database, as the times of webhooks are: that of a process may be behind it.
  const completedAt = raisedAt ?? message.completedAt;
  const event = { id, workspaceId, customerId, body, completedAt };
  // It becomes a header as it is.
  return { ...event, traceparent: readTraceparent(traceparent) ?? null };
}
