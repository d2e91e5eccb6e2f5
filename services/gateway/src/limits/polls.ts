/** A long poll while it is open; disposed of when it is answered. */
interface Poll extends Disposable {
  /** Aborted when a newer one has taken its place. */
  replaced: AbortSignal;
}

/** The long polls that are open. */
export interface Polls {
  /** Opens one. An older one of the same session for the same interaction ends: its page has been loaded anew. */
  open(sessionName: string, interactionId: string): Poll;
}

/** One poll at a time per session and interaction; each gateway counts its own. */
export function createPolls(): Polls {
  const latest = new Map<string, AbortController>();
  return {
    open: (sessionName, interactionId) => {
      const name = `${sessionName} ${interactionId}`;
      const own = new AbortController();
      latest.get(name)?.abort();
      latest.set(name, own);
      return {
        replaced: own.signal,
        [Symbol.dispose]: () => {
          if (latest.get(name) === own) latest.delete(name);
        },
      };
    },
  };
}
