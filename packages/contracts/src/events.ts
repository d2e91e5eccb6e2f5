import { InteractionCompleted } from './gen/parley/events/v1/interaction_completed.ts';

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

/** An interaction has become Completed. */
export const interactionCompleted: EventType<InteractionCompleted> = {
  subject: 'parley.interaction.completed.v1',
  message: InteractionCompleted,
  aboutOf: ({ interactionId }) => interactionId,
};
