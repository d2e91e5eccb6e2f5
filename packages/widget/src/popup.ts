// The UI chunk: all code that is needed only once there is something to show.
import type { Customer } from './customer/customer.ts';
import { isRetryable } from './customer/failure.ts';
import type { PopupMode, TalkState, Waiting } from './model.ts';
import type { Events } from './page/events.ts';
import type { TabStorage } from './page/tab-storage.ts';
import type { WidgetEvents } from './sdk/init-options.ts';

export { createTalkPool } from './conversation/talk-pool.ts';
export { createTalk } from './conversation/talk.ts';
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

/**
 * Returns how to show an interaction that waits: as the customer has left it in this tab, else by its priority. Opens
 * automatically only with `mayOpen`.
 */
export function popupModeOf(
  { interactionId, priority }: Waiting,
  storage: Pick<TabStorage, 'opened' | 'isSnoozed'>,
  mayOpen: boolean,
): PopupMode {
  if (storage.opened() === interactionId) return 'open';
  if (priority === 'Low' || storage.isSnoozed(interactionId)) return 'badge';
  return priority === 'High' && mayOpen ? 'open' : 'teaser';
}

/** Emits the events between two states of a conversation; none for the first one. */
export function emitEvents(
  events: Pick<Events<WidgetEvents>, 'emit'>,
  interactionId: string,
  { snapshot, stage }: TalkState,
  former: TalkState,
): void {
  if (!snapshot || !former.snapshot) return;
  const { seq, status } = former.snapshot;
  // A conversation without a question is never in progress: it has started when it has an entry.
  if (status === 'Pending' && (snapshot.status === 'InProgress' || snapshot.seq > 0)) {
    events.emit('started', { interactionId });
  }
  for (const entry of snapshot.entries) {
    if (entry.seq > seq) events.emit('message', { interactionId, entry });
  }
  if (stage !== former.stage && (stage === 'completed' || stage === 'expired')) {
    events.emit(stage, { interactionId });
  }
}
