/** The public names of events, in the order of the catalogue. */
export const eventNames = [
  'InteractionCreated',
  'InteractionStarted',
  'InteractionStalled',
  'InteractionCompleted',
  'InteractionExpired',
  'CustomerAnonymised',
  'WebhookDeactivated',
] as const;

export type EventName = (typeof eventNames)[number];

/** Returns whether the text is the name of an event. */
export function isEventName(text: string): text is EventName {
  return eventNames.some((name) => name === text);
}

/** Returns the names without repetition, in the order of the catalogue. */
export function inOrder(names: readonly EventName[]): EventName[] {
  return eventNames.filter((name) => names.includes(name));
}
