import { openPolls } from './metrics.ts';

/** An open long poll. It is disposed of when it is answered. */
interface Poll extends Disposable {
  /** Aborted when a newer poll replaces it. */
  replaced: AbortSignal;
}

export interface Polls {
  /** Opens a poll. Ends an older one of the same session and interaction: its page was reloaded. */
  open(sessionName: string, interactionId: string): Poll;
}

/** Allows one poll per session and interaction in this process. */
export function createPolls(): Polls {
  const latest = new Map<string, AbortController>();
  openPolls.observe((report) => report(latest.size));
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
