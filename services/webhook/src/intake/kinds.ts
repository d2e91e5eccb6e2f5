import type { EventName } from '@parley/contracts/event-names';
import {
  customerAnonymised,
  type EventType,
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionStalled,
  interactionStarted,
  webhookDeactivated,
} from '@parley/contracts/events';
import { type Interaction, Interaction_Status } from '@parley/contracts/interaction/v1/interaction';

/** What an event is about, and what webhooks receive besides. */
export interface About {
  workspaceId: string;
  /** The interaction, with its status when the event was raised. Its service has the body. */
  interaction?: { id: string; status: Interaction['status'] };
  /** The webhook: its row is the body, and it does not get the event. */
  webhookId?: string;
  /** Empty without one. */
  customerId: string;
  /** Further fields of the envelope's `data`. */
  extra: object;
}

/** A kind of event: its type on the bus, its public name, and what it says. */
interface Kind {
  type: EventType;
  name: EventName;
  read(message: unknown): About;
}

function kind<Message>(type: EventType<Message>, name: EventName, read: (message: Message) => About): Kind {
  return { type, name, read: (message) => read(message as Message) };
}

interface OfInteraction {
  workspaceId: string;
  interactionId: string;
  customerId: string;
}

const of = (
  { workspaceId, interactionId: id, customerId }: OfInteraction,
  status: Interaction['status'],
  extra: object = {},
): About => ({ workspaceId, interaction: { id, status }, customerId, extra });

const { InProgress, Completed, Expired } = Interaction_Status;

/** The kinds of events that webhooks can get. A new one is one line. */
export const kinds: readonly Kind[] = [
  kind(interactionCreated, 'InteractionCreated', (said) => of(said, said.status as Interaction['status'])),
  kind(interactionStarted, 'InteractionStarted', (said) => of(said, InProgress)),
  kind(interactionStalled, 'InteractionStalled', (said) =>
    of(said, InProgress, { lastStepId: said.lastStepId }),
  ),
  kind(interactionCompleted, 'InteractionCompleted', (said) => of(said, Completed)),
  kind(interactionExpired, 'InteractionExpired', (said) => of(said, Expired, { reason: said.reason })),
  kind(customerAnonymised, 'CustomerAnonymised', ({ workspaceId, customerId }) => ({
    workspaceId,
    customerId,
    extra: { id: customerId },
  })),
  kind(webhookDeactivated, 'WebhookDeactivated', ({ workspaceId, webhookId, reason }) => ({
    workspaceId,
    webhookId,
    customerId: '',
    extra: { reason },
  })),
];

/** Returns the kind of a type on the bus. Throws for one that is not in `kinds`. */
export function kindOf({ subject }: EventType): Kind {
  const found = kinds.find(({ type }) => type.subject === subject);
  if (!found) throw new Error(`there is no kind ${subject}`);
  return found;
}
