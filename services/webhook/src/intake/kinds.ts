import type { EventName } from '@parley/contracts/event-names';
import {
  type EventType,
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionStalled,
  interactionStarted,
} from '@parley/contracts/events';
import { Interaction_Status, type Interaction } from '@parley/contracts/interaction/v1/interaction';

/** What an event says about an interaction. */
interface About {
  workspaceId: string;
  interactionId: string;
  customerId: string;
  /** The status of the interaction when the event was raised. */
  status: Interaction['status'];
  /** Further fields of the envelope's `data`. */
  extra: object;
}

/** A kind of event: its type on the bus, its public name, and what it says. */
interface Kind {
  type: EventType;
  name: EventName;
  read(message: unknown): About;
}

type OfInteraction = Omit<About, 'status' | 'extra'>;

function kind<Message extends OfInteraction>(
  type: EventType<Message>,
  name: EventName,
  read: (message: Message) => Pick<About, 'status'> & Partial<Pick<About, 'extra'>>,
): Kind {
  return {
    type,
    name,
    read: (message) => {
      const { workspaceId, interactionId, customerId } = message as Message;
      return { workspaceId, interactionId, customerId, extra: {}, ...read(message as Message) };
    },
  };
}

const { InProgress, Completed, Expired } = Interaction_Status;

/** The kinds of events that webhooks can get. A new one is one line. */
export const kinds: readonly Kind[] = [
  kind(interactionCreated, 'InteractionCreated', ({ status }) => ({
    status: status as Interaction['status'],
  })),
  kind(interactionStarted, 'InteractionStarted', () => ({ status: InProgress })),
  kind(interactionStalled, 'InteractionStalled', ({ lastStepId }) => ({
    status: InProgress,
    extra: { lastStepId },
  })),
  kind(interactionCompleted, 'InteractionCompleted', () => ({ status: Completed })),
  kind(interactionExpired, 'InteractionExpired', ({ reason }) => ({ status: Expired, extra: { reason } })),
];

/** Returns the kind of a type on the bus. Throws for one that is not in `kinds`. */
export function kindOf({ subject }: EventType): Kind {
  const found = kinds.find(({ type }) => type.subject === subject);
  if (!found) throw new Error(`there is no kind ${subject}`);
  return found;
}
