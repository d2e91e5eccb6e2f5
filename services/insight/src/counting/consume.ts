import {
  interactionCompleted,
  interactionCreated,
  interactionDeleted,
  interactionExpired,
  interactionRedacted,
  interactionResumed,
  interactionStalled,
  interactionStarted,
  type EventType,
} from '@parley/contracts/events';
import type { Handle } from '@parley/events/consumer';
import { generationsOf } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { countFacts } from './count-facts.ts';
import { type FactsClient, readFacts } from './facts.ts';

/** What all its events say. */
interface OfInteraction {
  workspaceId: string;
  interactionId: string;
}

/** The events after which an interaction counts in another way. */
export const types: readonly EventType<OfInteraction>[] = [
  interactionCreated,
  interactionStarted,
  interactionStalled,
  interactionResumed,
  interactionCompleted,
  interactionExpired,
  interactionRedacted,
  interactionDeleted,
];

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
