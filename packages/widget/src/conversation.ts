import { connect, type Headless } from './client.ts';
import type { CustomerOptions } from './customer.ts';
import type { Talk, TalkState, Waiting } from './model.ts';
import { type Observed, observe } from './observed.ts';
import { unknownTalk } from './talk-state.ts';

/** The API's address, the customer, and which conversation to hold. */
export interface ConversationOptions
  extends Pick<CustomerOptions, 'baseUrl' | 'workspaceId' | 'getCustomerToken' | 'locale'> {
  /** The interaction to hold. Unless given, the one that waits for the customer. */
  interactionId?: string | undefined;
  /** Called with failures that the customer need not see: the conversation goes on by itself where it can. */
  onError?: ((error: unknown) => void) | undefined;
}

/** All that a screen shows of a conversation. A new object whenever anything changes. */
export interface ConversationState extends TalkState {
  /** What waits for the customer: undefined while it is unknown, null for nothing. */
  waiting: Waiting | null | undefined;
}

/** What a screen does with a conversation. Calls have no effect while there is none. */
export interface ConversationActions extends Pick<Talk, 'start' | 'send' | 'retry' | 'clearRefusal'> {
  /** Asks at once what waits, and goes on to it. Has no effect while this conversation is under way. */
  next(): void;
}

/** A conversation as a store that screens subscribe to. */
export interface Conversation extends Pick<Observed<ConversationState>, 'state' | 'subscribe'> {
  actions: ConversationActions;
}

/** The state of a conversation before anything is known of it. */
export const unknownConversation: ConversationState = { ...unknownTalk(), waiting: undefined };

/**
 * Holds the conversation that waits for a customer, or the one that is named. It connects with the first subscription
 * and disconnects with the end of the last. `subscribe` throws a TypeError for options that `connect` does not accept.
 */
export function createConversation(options: ConversationOptions): Conversation {
  const held = observe(unknownConversation);
  let customer: Headless | undefined;
  let talk: Talk | undefined;
  let current: string | undefined;

  const turnTo = (waiting: Parameters<Headless['talk']>[0]): void => {
    if (!customer || waiting.interactionId === current) return;
    talk?.dispose();
    current = waiting.interactionId;
    const own = (talk = customer.talk(waiting));
    held.set(own.state);
    own.subscribe(() => held.set(own.state));
  };

  const found = (waiting: Waiting | null): void => {
    held.set({ waiting });
    const { stage } = held.state;
    // A conversation that is under way, or that the customer may still read, stays.
    if (waiting && !options.interactionId && stage !== 'talking' && stage !== 'completed') turnTo(waiting);
  };

  const begin = (firstToken?: string): void => {
    customer = connect({
      ...options,
      firstToken,
      onFound: found,
      onError: (error) => options.onError?.(error),
      onOtherCustomer: (token) => {
        end();
        begin(token);
      },
    });
    if (options.interactionId) turnTo({ interactionId: options.interactionId });
  };

  const end = (): void => {
    talk?.dispose();
    customer?.end();
    talk = customer = current = undefined;
    held.set(unknownConversation);
  };

  return {
    get state() {
      return held.state;
    },
    subscribe: (listener) => {
      const unsubscribe = held.subscribe(listener);
      if (!customer) begin();
      return () => {
        unsubscribe();
        if (!held.isFollowed) end();
      };
    },
    actions: {
      start: () => talk?.start(),
      send: (...answer) => talk?.send(...answer),
      retry: () => talk?.retry(),
      clearRefusal: () => talk?.clearRefusal(),
      next: () => {
        if (held.state.stage === 'talking') return;
        // `onError` has the failures.
        customer?.check().then(
          (waiting) => waiting && turnTo(waiting),
          () => {},
        );
      },
    },
  };
}
