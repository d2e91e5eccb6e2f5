import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import type { Received } from '@parley/events/consumer';
import type { Kysely } from 'kysely';
import { type IncomingEvent, takeEvents } from './event-store.ts';
import type { Tables } from './schema.ts';

interface FanOutOptions {
  db: Kysely<Tables>;
  /** Called after a commit that left something to deliver. */
  onDeliveries: () => void;
}

/** The consumer's handler: a batch of events becomes inbox rows and deliveries, all in one statement. Idempotent. */
export function fanOut({ db, onDeliveries }: FanOutOptions) {
  return async (received: readonly Received<InteractionCompleted>[]): Promise<void> => {
    const events = new Map(received.map((one) => [one.message.interactionId, incoming(one)]));
    if ((await takeEvents(db, [...events.values()])) > 0) onDeliveries();
  };
}

// W3C Trace Context, version 00; it becomes a header as it is.
const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function incoming({ message, traceparent }: Received<InteractionCompleted>): IncomingEvent {
  const { interactionId: id, workspaceId, customerId, body, completedAt } = message;
  const isWellFormed = traceparent !== undefined && traceparentForm.test(traceparent);
  return { id, workspaceId, customerId, body, completedAt, traceparent: isWellFormed ? traceparent : null };
}
