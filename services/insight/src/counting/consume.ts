import { type EventType, eventTypes } from '@parley/contracts/events';
import type { Handle } from '@parley/events/consumer';
import { generationsOf } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { countFacts } from './count-facts.ts';
import { type FactsClient, readFacts } from './facts.ts';

interface OfInteraction {
  workspaceId: string;
  interactionId: string;
}

/** The events of interactions: after each, one may count in another way. */
export const types = eventTypes.filter(isOfInteraction);

function isOfInteraction(type: EventType): type is EventType<OfInteraction> {
  return type.subject.startsWith('parley.interaction.');
}

/**
 * Returns the handler of the events. An event only says that an interaction has changed: it is counted by its present
 * facts. So it does not matter in which order events come, and how often.
 */
export function countEvents({ db, facts }: { db: Db; facts: FactsClient }): Handle<OfInteraction> {
  return async (received, take, { signal }) => {
    const byId = new Map(received.map(({ message }) => [message.interactionId, message]));
    const read = await readFacts(facts, [...byId.values()], signal);
    await countFacts(db, read, async (trx) => {
      await take(trx);
      // After the facts were read: the scan of a generation that begins later reads these facts or newer ones.
      return generationsOf(trx, read.server);
    });
  };
}
