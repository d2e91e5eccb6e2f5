import { notify } from './events.ts';

/** A state with subscribers. */
export interface Store<State> {
  /** A new object after every change. */
  readonly state: State;
  readonly hasSubscribers: boolean;
  set(change: Partial<State>): void;
  /** Calls the listener after every change; it may subscribe twice. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Ignores further changes and removes the subscribers. */
  end(): void;
}

/** `onChange` is called first, also without subscribers. Errors of listeners stop nothing (`notify`). */
export function createStore<State extends object>(
  first: State,
  onChange?: (state: State, former: State) => void,
): Store<State> {
  const listeners = new Set<() => void>();
  let state = first;
  let isOver = false;
  return {
    get state() {
      return state;
    },
    get hasSubscribers() {
      return listeners.size > 0;
    },
    set: (change) => {
      const former = state;
      const isNews = (Object.keys(change) as (keyof State)[]).some((key) => change[key] !== former[key]);
      if (isOver || !isNews) return;
      state = { ...former, ...change };
      notify(onChange, state, former);
      for (const listener of listeners) notify(listener);
    },
    subscribe: (listener) => {
      // A function of its own: the same listener may subscribe twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
    end: () => {
      isOver = true;
      listeners.clear();
    },
  };
}
