import { generatedTypes } from './gen/event-types.ts';

export * from './gen/event-types.ts';

export interface EventType<Message = unknown> {
  /** The NATS subject: `parley.<noun>.<what happened>.v<major version of the payload>`. */
  subject: string;
  message: { encode(message: Message): { finish(): Uint8Array }; decode(bytes: Uint8Array): Message };
  aboutOf(message: Message): string;
}

/** The JetStream stream that carries every subject of this catalogue. */
export const stream = { name: 'PARLEY_EVENTS', subjects: ['parley.>'] } as const;

export const eventTypes: readonly EventType[] = generatedTypes;

export const eventSubjects: ReadonlySet<string> = new Set(eventTypes.map(({ subject }) => subject));

/** Returns whether a service raises the type of a subject: its second part names the service. */
export function isRaisedBy(service: string, subject: string): boolean {
  return subject.startsWith(`parley.${service}.`);
}
