import type { Snapshot } from '@parley/client/public';
import type { Line } from './line.ts';

/** What keeping up with a talk takes. */
export interface PollingOptions {
  line: Pick<Line, 'call' | 'pause'>;
  /** Whether the talk is to be followed now. */
  isWanted: () => boolean;
  /** The number of the newest entry that is known; 0 for none. */
  seq: () => number;
  /** Takes in what has come. */
  take: (snapshot: Snapshot, signal: AbortSignal) => Promise<void>;
  /** The server has refused to tell of the talk, for good. */
  onRefused: (error: unknown) => void;
}

/** Keeps up with a talk on the server. */
export interface Polling {
  /** Asks anew at once, and goes on for as long as it is wanted; to be called whenever that may have changed. */
  renew(): void;
  /** Ends it with the call under way; another `renew` begins again. */
  stop(): void;
}

const waitSeconds = 25;
/** A poll that is answered sooner, with nothing new, is not followed by the next one at once. */
const pollMsMin = 1_000;

/** By long-polls, one at a time; the first does not wait. */
export function createPolling({ line, isWanted, seq, take, onRefused }: PollingOptions): Polling {
  let current: AbortController | undefined;

  const keepUp = async (signal: AbortSignal): Promise<void> => {
    try {
      for (let wait = 0; isWanted(); wait = waitSeconds) {
        const after = seq();
        const startedAt = performance.now();
        const snapshot = await line.call(
          (client, id) => client.getConversation(id, { after, wait }, { signal }),
          signal,
        );
        await take(snapshot, signal);
        const restMs = pollMsMin - (performance.now() - startedAt);
        if (wait > 0 && snapshot.seq === after && restMs > 0) await line.pause(restMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) onRefused(error);
    }
  };

  const stop = (): void => current?.abort();
  return {
    renew: () => {
      stop();
      current = new AbortController();
      void keepUp(current.signal);
    },
    stop,
  };
}
