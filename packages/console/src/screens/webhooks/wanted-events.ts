import type { Webhook } from '@parley/client';
import { type EventName, isEventName } from '@parley/contracts/event-names';

export function eventsOf({ event }: Pick<Webhook, 'event'>): EventName[] {
  return event
    .split(',')
    .map((name) => name.trim())
    .filter(isEventName);
}
