import { connect, type Headless } from '../client.ts';
import type { CustomerOptions } from '../customer/customer.ts';
import type { Talk, TalkState, Waiting } from '../model.ts';
import { type Store, createStore } from '../page/store.ts';
import { initialTalk } from '../conversation/talk-state.ts';

/** The API's address, the customer, and the conversation. */
export interface ConversationOptions
  extends Pick<CustomerOptions, 'baseUrl' | 'workspaceId' | 'getCustomerToken' | 'locale'> {
  /** The interaction of the conversation. Default: the interaction that waits for the customer. */
  interactionId?: string | undefined;
  /** Called with failures that the customer need not see. The conversation continues if it can. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The state of a conversation for a screen. A new object after every change. */
export interface ConversationState extends TalkState {
  /** The interaction that waits: undefined while it is unknown, null for none. */
  waiting: Waiting | null | undefined;
}

/** The calls of a screen on a conversation. They have no effect without one. */
export interface ConversationActions
  extends Pick<Talk, 'start' | 'revise' | 'send' | 'retry' | 'clearRefusal'> {
  /**
   * Asks at once what waits, and opens it. Has no effect while this conversation is in progress. Begins the next
   * customer's session after a `logout`.
   */
  next(): void;
  /** Ends the customer's session in every tab of this origin. This tab makes no call before `next`. */
  logout(): void;
}

/** A conversation as a store that screens subscribe to. */
export interface Conversation extends Pick<Store<ConversationState>, 'state' | 'subscribe'> {
  actions: ConversationActions;
}

/** The state of a conversation before anything is known. */
export const initialConversation: ConversationState = { ...initialTalk(), waiting: undefined };

/**
 * Returns the conversation that waits for a customer, or the one that is named. It connects with the first subscription
 * and disconnects with the end of the last. `subscribe` throws a TypeError for options that `connect` does not accept.
 */
export function createConversation(options: ConversationOptions): Conversation {
  const held: HeldConversation = { options, store: createStore(initialConversation) };
  const { store } = held;
  return {
    get state() {
      return store.state;
    },
    subscribe: (listener) => {
      const unsubscribe = store.subscribe(listener);
      if (!held.customer && !held.isLoggedOut) begin(held);
      return () => {
        unsubscribe();
        if (!store.hasSubscribers) end(held);
      };
    },
    actions: {
      start: () => held.talk?.start(),
      send: (...answer) => held.talk?.send(...answer),
      retry: () => held.talk?.retry(),
      revise: (stepId) => held.talk?.revise(stepId),
      clearRefusal: () => held.talk?.clearRefusal(),
      next: () => next(held),
      logout: () => {
        if (!held.customer) return;
        held.customer.logout();
        end(held);
        held.isLoggedOut = true;
        held.store.set({ waiting: null });
      },
    },
  };
}

interface HeldConversation {
  options: ConversationOptions;
  store: Store<ConversationState>;
  customer?: Headless | undefined;
  talk?: Talk | undefined;
  interactionId?: string | undefined;
  /** Until `next`. */
  isLoggedOut?: boolean;
}

function begin(held: HeldConversation, firstToken?: string, isDormant = false): void {
  const { options } = held;
  held.customer = connect({
    ...options,
    firstToken,
    isDormant,
    onFound: (waiting) => found(held, waiting),
    onError: (error) => options.onError?.(error),
    onOtherCustomer: (token, reason) => {
      end(held);
      begin(held, token, reason !== 'changed');
    },
  });
  if (options.interactionId) turnTo(held, { interactionId: options.interactionId });
}

function found(held: HeldConversation, waiting: Waiting | null): void {
  held.store.set({ waiting });
  const { stage } = held.store.state;
  // A conversation in progress, or one that the customer may still read, stays.
  const isBusy = stage === 'talking' || stage === 'completed';
  if (waiting && !held.options.interactionId && !isBusy) turnTo(held, waiting);
}

function turnTo(held: HeldConversation, waiting: Parameters<Headless['talk']>[0]): void {
  const { customer, store } = held;
  if (!customer || waiting.interactionId === held.interactionId) return;
  held.talk?.dispose();
  held.interactionId = waiting.interactionId;
  const talk = (held.talk = customer.talk(waiting));
  store.set(talk.state);
  talk.subscribe(() => store.set(talk.state));
}

function next(held: HeldConversation): void {
  if (held.store.state.stage === 'talking') return;
  if (held.isLoggedOut) {
    held.isLoggedOut = false;
    held.store.set(initialConversation);
    if (held.store.hasSubscribers) begin(held);
    return;
  }
  // `onError` reports failures.
  held.customer?.check().then(
    (waiting) => waiting && turnTo(held, waiting),
    () => {},
  );
}

function end(held: HeldConversation): void {
  held.talk?.dispose();
  held.customer?.end();
  held.talk = held.customer = held.interactionId = undefined;
  held.store.set(initialConversation);
}
