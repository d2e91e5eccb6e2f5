import { type Submission, submit, type SubmissionResult } from './submission.ts';
import type { ConversationConnection } from './connection.ts';
import type { Talk, TalkState } from '../model.ts';
import type { Store } from '../page/store.ts';
import { isPending, questionOf } from './talk-state.ts';

export interface SendingOptions {
  connection: Pick<ConversationConnection, 'call' | 'wake'>;
  store: Store<TalkState>;
  signal: AbortSignal;
  /** An answer arrived or failed; the state still has it as `outgoing`. */
  onSettled: (result: SubmissionResult) => void;
}

/** Sends the customer's answers, one at a time. */
export interface Sending extends Pick<Talk, 'send' | 'clearRefusal'> {
  /** Sends a waiting answer now. */
  again(): void;
  /** Sends a pending answer now, because the server is reachable. Resolves once none is pending. */
  untilIdle(): Promise<void>;
}

export function createSending({ connection, store, signal, onSettled }: SendingOptions): Sending {
  let delivery: Submission | undefined;
  return {
    send: (answer, words) => {
      const question = questionOf(store.state);
      if (!question) return;
      const revises = store.state.revising !== undefined;
      delivery = submit(question, answer, words, revises, (message, outgoing) => {
        const changeOnFailure: Partial<TalkState> = { outgoing: { ...outgoing, state: 'waiting' } };
        return connection.call(
          (client, id) => client[revises ? 'reviseAnswer' : 'postMessage'](id, message, { signal }),
          signal,
          changeOnFailure,
        );
      });
      store.set({ outgoing: delivery.outgoing });
      // Before other listeners, so that they read the new state.
      void delivery.result.then((result) => {
        if (!signal.aborted) onSettled(result);
      });
    },
    again: () => {
      const { outgoing } = store.state;
      if (outgoing?.state === 'waiting') store.set({ outgoing: { ...outgoing, state: 'sending' } });
      connection.wake();
    },
    clearRefusal: () => {
      if (store.state.outgoing?.state === 'refused') store.set({ outgoing: undefined });
    },
    untilIdle: async () => {
      if (!isPending(store.state)) return;
      connection.wake();
      await delivery?.result;
    },
  };
}
