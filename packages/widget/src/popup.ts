// The UI chunk: all code that is needed only once there is something to show.
import type { Customer } from './customer/customer.ts';
import { isRetryable } from './customer/failure.ts';
import type { Waiting } from './model.ts';

export { createTalkPool } from './conversation/talk-pool.ts';
export { popupModeOf } from './sdk/popup-mode.ts';
export { createTalk } from './conversation/talk.ts';
export { emitEvents } from './sdk/emit-events.ts';
export { mountPopup } from './ui/screens/popup.tsx';

/** Resolves once the page has a body: a script in the head may run before. */
export function bodyReady(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}

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
