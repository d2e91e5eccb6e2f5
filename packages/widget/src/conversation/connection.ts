import type { SessionClient } from '@parley/client/public';
import { notify } from '../page/events.ts';
import { isUnreachable, asParleyError, serverFaultOf } from '../customer/failure.ts';
import { createRetries, type Retries } from '../customer/retries.ts';
import type { TalkState } from '../model.ts';
import type { Store } from '../page/store.ts';
import type { Session } from '../customer/session.ts';
import { joinTabs, type Tabs } from '../page/tabs.ts';

export interface ConnectionOptions {
  session: Session;
  /** Default: the interaction of the session. */
  interactionId: string | undefined;
  /** The connection sets `isOffline`, `serverFault`, and `botName` when only the session has it. */
  store: Store<TalkState>;
  /** Another tab has changed the conversation. */
  onNotified: () => void;
  /** Receives errors that are not of the API. */
  onError: ((error: unknown) => void) | undefined;
}

/** Connects one conversation to the server, and to the other tabs that show it. */
export interface ConversationConnection extends Pick<Retries, 'pause' | 'wake'> {
  /**
   * Retries the call until it succeeds or fails for good. `changeOnFailure` joins the state with each retryable
   * failure.
   */
  call<Result>(
    work: (client: SessionClient, interactionId: string) => Promise<Result>,
    signal: AbortSignal,
    changeOnFailure?: Partial<TalkState>,
  ): Promise<Result>;
  notifyTabs(): void;
  close(): void;
}

/** Makes no call yet. The interaction may be unknown before the first session. */
export function openConnection({
  session,
  store,
  onNotified,
  onError,
  ...options
}: ConnectionOptions): ConversationConnection {
  const { callWithRetry, pause, wake } = createRetries(session);
  let { interactionId } = options;
  let tabs: Tabs | undefined;
  return {
    call: async (work, signal, changeOnFailure) => {
      const result = await callWithRetry(
        (client, { link }) => {
          signal.throwIfAborted();
          if (link && !store.state.botName) store.set({ botName: link.botName });
          interactionId ??= link?.interactionId ?? '';
          tabs ??= joinTabs(interactionId, onNotified);
          return work(client, interactionId);
        },
        signal,
        (error) => {
          store.set({
            isOffline: isUnreachable(error),
            serverFault: serverFaultOf(error),
            ...changeOnFailure,
          });
          if (!asParleyError(error)) notify(onError, error);
        },
      );
      store.set({ isOffline: false, serverFault: undefined });
      return result;
    },
    pause,
    wake,
    // Without content: each tab asks the server.
    notifyTabs: () => tabs?.post(null),
    close: () => tabs?.close(),
  };
}
