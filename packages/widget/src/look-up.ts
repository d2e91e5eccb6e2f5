import type { Customer } from './customer.ts';
import { isPassing } from './failure.ts';
import type { Waiting } from './model.ts';

/** What looks up an interaction. */
export type LookUp = typeof lookUp;

/** What the API tells only of the one that waits first. */
const notFirst = { type: '', priority: 'Medium', teaser: '', more: 0 } as const;

/**
 * The interaction, as far as the API tells of one that need not wait first; null where there is none for the customer.
 * Rejects with failures that pass.
 */
export async function lookUp(
  { session, signal }: Pick<Customer, 'session' | 'signal'>,
  interactionId: string,
): Promise<Waiting | null> {
  try {
    const { status, botName, expiresAt } = await session.call(
      ({ client }) => client.getConversation(interactionId, {}, { signal }),
      signal,
    );
    return { ...notFirst, interactionId, status, botName, expiresAt };
  } catch (error) {
    if (isPassing(error)) throw error;
    return null;
  }
}
