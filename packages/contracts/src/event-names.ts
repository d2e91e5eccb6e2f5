import { eventTitles } from './event-examples.ts';

export type EventName = keyof typeof eventTitles;

/** The public names of events, in the order of the catalogue. */
export const eventNames = Object.keys(eventTitles) as readonly EventName[];

export function isEventName(text: string): text is EventName {
  return eventNames.some((name) => name === text);
}

/** Returns the names without repetition, in the order of the catalogue. */
export function eventsInOrder(names: readonly EventName[]): EventName[] {
  return eventNames.filter((name) => names.includes(name));
}
