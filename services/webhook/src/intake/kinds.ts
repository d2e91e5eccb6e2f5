import { type EventName, eventNames } from '@parley/contracts/event-names';
import {
  customerAnonymised,
  type EventType,
  interactionAvailable,
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionReminderDue,
  interactionStalled,
  interactionStarted,
  webhookDeactivated,
} from '@parley/contracts/events';
import { type Interaction, Interaction_Status } from '@parley/contracts/interaction/v1/interaction';

/** The name of the service's consumer of events. */
export const durable = 'webhook';

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

function kind<Message>(type: EventType<Message>, read: (message: Message) => About): Omit<Kind, 'name'> {
  return { type, read: (message) => read(message as Message) };
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

const { Pending, InProgress, Completed, Expired } = Interaction_Status;

const byName: Record<EventName, Omit<Kind, 'name'>> = {
  InteractionCreated: kind(interactionCreated, (said) => of(said, said.status as Interaction['status'])),
  InteractionAvailable: kind(interactionAvailable, (said) => of(said, Pending)),
  InteractionReminderDue: kind(interactionReminderDue, (said) => of(said, Pending, { number: said.number })),
  InteractionStarted: kind(interactionStarted, (said) => of(said, InProgress)),
  InteractionStalled: kind(interactionStalled, (said) =>
    of(said, InProgress, { lastStepId: said.lastStepId }),
  ),
  InteractionCompleted: kind(interactionCompleted, (said) => of(said, Completed)),
  InteractionExpired: kind(interactionExpired, (said) => of(said, Expired, { reason: said.reason })),
  CustomerAnonymised: kind(customerAnonymised, ({ workspaceId, customerId }) => ({
    workspaceId,
    customerId,
    extra: { id: customerId },
  })),
  WebhookDeactivated: kind(webhookDeactivated, ({ workspaceId, webhookId, reason }) => ({
    workspaceId,
    webhookId,
    customerId: '',
    extra: { reason },
  })),
};

/** In the order of the catalogue. */
export const kinds: readonly Kind[] = eventNames.map((name) => ({ name, ...byName[name] }));

/** Throws for a type that is not in `kinds`. */
export function kindOf({ subject }: EventType): Kind {
  const found = kinds.find(({ type }) => type.subject === subject);
  if (!found) throw new Error(`there is no kind ${subject}`);
  return found;
}
