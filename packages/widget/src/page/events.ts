/** Listeners by event. `Payloads` are their arguments. */
export interface Events<Payloads> {
  /** Returns a function that removes the listener. */
  on<Name extends keyof Payloads>(name: Name, listener: (payload: Payloads[Name]) => void): () => void;
  emit<Name extends keyof Payloads>(name: Name, payload: Payloads[Name]): void;
  clear(): void;
}

/** Calls a function of the page. Its errors are reported as the page's own and stop nothing. */
export function notify<Given extends unknown[]>(
  listener: ((...given: Given) => void) | undefined,
  ...given: Given
): void {
  try {
    listener?.(...given);
  } catch (error) {
    reportError(error);
  }
}

export function createEvents<Payloads>(): Events<Payloads> {
  const listeners = new Map<keyof Payloads, Set<(payload: never) => void>>();
  return {
    on: (name, listener) => {
      const own: typeof listener = (payload) => listener(payload);
      const named = listeners.get(name) ?? new Set();
      listeners.set(name, named.add(own));
      return () => named.delete(own);
    },
    emit: (name, payload) => {
      for (const listener of listeners.get(name) ?? []) notify(listener, payload as never);
    },
    clear: () => listeners.clear(),
  };
}
