import type { Customer } from './customer.ts';
import { isRetryable } from './failure.ts';
import type { Waiting } from '../model.ts';

/** Fields that the API returns only for the interaction that waits first. */
const notFirst = { type: '', priority: 'Medium', teaser: '', more: 0, effort: null } as const;

/**
 * Returns the interaction with defaults for fields that only the first one has; null if the customer has no such
 * interaction. Rejects with retryable failures.
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
    if (isRetryable(error)) throw error;
    return null;
  }
}
