import { InteractionCompleted } from './gen/parley/events/v1/interaction_completed.ts';

/** A type of event: its subject and the codec of its payload. */
export interface EventType<Message> {
  /** The NATS subject, with the major version of the payload. */
  subject: string;
  /** The codec of the payload. */
  message: { encode(message: Message): { finish(): Uint8Array }; decode(bytes: Uint8Array): Message };
}

/** The JetStream stream that carries every subject of this catalogue. */
export const stream = { name: 'PARLEY', subjects: ['parley.>'] } as const;

/** An interaction has become Completed. Event id: the interaction's id, since it completes once. */
export const interactionCompleted: EventType<InteractionCompleted> = {
  subject: 'parley.interaction.completed.v1',
  message: InteractionCompleted,
};
