import { notify } from './events.ts';

/** A state whose changes are told. */
export interface Observed<State> {
  /** A new object after every change. */
  readonly state: State;
  /** Whether anybody is subscribed. */
  readonly isFollowed: boolean;
  /** Tells of it, unless all is as it was. */
  set(change: Partial<State>): void;
  /** Called after every change; the same listener may subscribe twice. Answers a function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Nothing changes from now on, and nobody is told. */
  end(): void;
}

/** `onChange` is told first, and also while nobody is subscribed. What those who are told throw stops nothing (`notify`). */
export function observe<State extends object>(
  first: State,
  onChange?: (state: State, former: State) => void,
): Observed<State> {
  const listeners = new Set<() => void>();
  let state = first;
  let isOver = false;
  return {
    get state() {
      return state;
    },
    get isFollowed() {
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
