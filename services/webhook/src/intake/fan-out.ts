import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Received } from '@parley/events/consumer';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/logger';
import { readTraceparent } from '@parley/runtime/telemetry';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { withPartitions } from '../deliveries/partitions.ts';
import type { Tables } from '../schema.ts';
import { type IncomingEvent, takeEvents } from './event-store.ts';

interface FanOutOptions {
  db: Kysely<Tables>;
  logger: Logger;
  /** Who has the histories: events carry none. */
  interactions: Pick<RpcClient<InteractionServiceService>, 'listCompletionBodies'>;
  /** Called after a commit with the webhooks that have something to deliver. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/** A batch is complete when its bodies have this size. It exceeds that by the rest of one answer at most. */
const bytesMax = 4 * 1024 * 1024;

/**
 * Returns the consumer's handler. It fetches the bodies of the events, and creates inbox rows and deliveries in one
 * statement for each batch. From then on, a body is the same bytes for every attempt. Idempotent.
 */
export function fanOut({ db, onDeliveries, ...source }: FanOutOptions) {
  return async (received: readonly Received<InteractionCompleted>[]): Promise<void> => {
    const distinct = [...new Map(received.map((one) => [one.message.interactionId, one])).values()];
    for await (const batch of batchesOf(source, distinct)) {
      onDeliveries(await withPartitions(db, () => takeEvents(db, batch)));
    }
  };
}

/** Yields the events with their bodies in batches of about `bytesMax`. Drops events of no completed interaction. */
async function* batchesOf(
  { interactions, logger }: Pick<FanOutOptions, 'interactions' | 'logger'>,
  received: readonly Received<InteractionCompleted>[],
): AsyncGenerator<IncomingEvent[]> {
  let batch: IncomingEvent[] = [];
  let bytes = 0;
  let rest = received;
  while (rest.length > 0) {
    const bodies = await fetchBodies(interactions, rest);
    for (const [index, one] of rest.slice(0, bodies.length).entries()) {
      const body = bodies[index] ?? Buffer.of();
      bytes += body.length;
      if (body.length > 0) {
        batch.push(incoming(one, body));
      } else {
        // Only the interaction service raises events, in the transaction that completes the interaction.
        const { interactionId: eventId } = one.message;
        logger.error({ eventId }, 'an event of no completed interaction is dropped');
      }
    }
    rest = rest.slice(bodies.length);
    const isComplete = bytes >= bytesMax || rest.length === 0;
    if (isComplete && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
}

/** The bodies of the first events, as many as one answer has; empty where the interaction is not known as completed. */
async function fetchBodies(
  interactions: FanOutOptions['interactions'],
  events: readonly Received<InteractionCompleted>[],
): Promise<Buffer[]> {
  const completions = events.map(({ message: { workspaceId, interactionId } }) => ({
    workspaceId,
    interactionId,
  }));
  const { bodies } = await interactions.listCompletionBodies({ completions }, { requestId: uuidv7() });
  if (bodies.length === 0) throw new Error('no body was answered, not even an empty one');
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
