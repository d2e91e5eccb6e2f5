/** Listeners by the name of the event. `Payloads`: what each is told. */
export interface Events<Payloads> {
  /** Answers a function that ends it. */
  on<Name extends keyof Payloads>(name: Name, listener: (payload: Payloads[Name]) => void): () => void;
  emit<Name extends keyof Payloads>(name: Name, payload: Payloads[Name]): void;
  clear(): void;
}

/** Calls what the page has given. What that throws is reported as the page's own error and stops nothing. */
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

/** What a listener throws is the page's own error (`notify`). */
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
