import {
  InteractionCreated,
  InteractionDeleted,
  InteractionExpired,
  InteractionRedacted,
  InteractionResumed,
  InteractionStalled,
  InteractionStarted,
} from './gen/parley/events/v1/interaction.ts';
import { InteractionCompleted } from './gen/parley/events/v1/interaction_completed.ts';
import { CustomerAnonymised, CustomerDeleted } from './gen/parley/events/v1/customer.ts';
import { WebhookDeactivated } from './gen/parley/events/v1/webhook.ts';

/** A type of event: its subject and the codec of its payload. */
export interface EventType<Message = unknown> {
  /** The NATS subject: `parley.<noun>.<past participle>.v<major version of the payload>`. */
  subject: string;
  /** The codec of the payload. */
  message: { encode(message: Message): { finish(): Uint8Array }; decode(bytes: Uint8Array): Message };
  /** Returns the id of what the event is about. */
  aboutOf(message: Message): string;
}

/** The JetStream stream that carries every subject of this catalogue. */
export const stream = { name: 'PARLEY_EVENTS', subjects: ['parley.>'] } as const;

const ofInteraction = ({ interactionId }: { interactionId: string }): string => interactionId;

/** An interaction was created with another status than Completed or Expired. */
export const interactionCreated: EventType<InteractionCreated> = {
  subject: 'parley.interaction.created.v1',
  message: InteractionCreated,
  aboutOf: ofInteraction,
};

/** An interaction has become InProgress for the first time. */
export const interactionStarted: EventType<InteractionStarted> = {
  subject: 'parley.interaction.started.v1',
  message: InteractionStarted,
  aboutOf: ofInteraction,
};

/** Nobody has answered for the time that the bot allows. Once per silence. */
export const interactionStalled: EventType<InteractionStalled> = {
  subject: 'parley.interaction.stalled.v1',
  message: InteractionStalled,
  aboutOf: ofInteraction,
};

/** An interaction that had stalled was answered, or one that had expired is Pending again. */
export const interactionResumed: EventType<InteractionResumed> = {
  subject: 'parley.interaction.resumed.v1',
  message: InteractionResumed,
  aboutOf: ofInteraction,
};

/** An interaction has become Completed. */
export const interactionCompleted: EventType<InteractionCompleted> = {
  subject: 'parley.interaction.completed.v1',
  message: InteractionCompleted,
  aboutOf: ofInteraction,
};

/** An interaction has become Expired. */
export const interactionExpired: EventType<InteractionExpired> = {
  subject: 'parley.interaction.expired.v1',
  message: InteractionExpired,
  aboutOf: ofInteraction,
};

/** The personal data of an interaction were removed. Consumers read again what they have stored about it. */
export const interactionRedacted: EventType<InteractionRedacted> = {
  subject: 'parley.interaction.redacted.v1',
  message: InteractionRedacted,
  aboutOf: ofInteraction,
};

/** An interaction was deleted. Consumers delete what they have stored about it. */
export const interactionDeleted: EventType<InteractionDeleted> = {
  subject: 'parley.interaction.deleted.v1',
  message: InteractionDeleted,
  aboutOf: ofInteraction,
};

/** An anonymisation has finished. */
export const customerAnonymised: EventType<CustomerAnonymised> = {
  subject: 'parley.customer.anonymised.v1',
  message: CustomerAnonymised,
  aboutOf: ({ customerId }) => customerId,
};

/** A customer was deleted, with its interactions. */
export const customerDeleted: EventType<CustomerDeleted> = {
  subject: 'parley.customer.deleted.v1',
  message: CustomerDeleted,
  aboutOf: ({ customerId }) => customerId,
};

/** Parley has deactivated a webhook. */
export const webhookDeactivated: EventType<WebhookDeactivated> = {
  subject: 'parley.webhook.deactivated.v1',
  message: WebhookDeactivated,
  aboutOf: ({ webhookId }) => webhookId,
};

/** The subjects of all types. */
export const eventSubjects: ReadonlySet<string> = new Set(
  [
    interactionCreated,
    interactionStarted,
    interactionStalled,
    interactionResumed,
    interactionCompleted,
    interactionExpired,
    interactionRedacted,
    interactionDeleted,
    customerAnonymised,
    customerDeleted,
    webhookDeactivated,
  ].map(({ subject }) => subject),
);
