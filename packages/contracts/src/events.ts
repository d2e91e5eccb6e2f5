import { generatedTypes } from './gen/event-types.ts';

export * from './gen/event-types.ts';

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

/** All types of events. */
export const eventTypes: readonly EventType[] = generatedTypes;

/** The subjects of all types. */
export const eventSubjects: ReadonlySet<string> = new Set(eventTypes.map(({ subject }) => subject));

/** Returns whether a service raises the type of a subject: its second part names the service. */
export function isRaisedBy(service: string, subject: string): boolean {
  return subject.startsWith(`parley.${service}.`);
}
