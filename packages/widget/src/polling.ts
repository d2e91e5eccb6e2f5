import type { Snapshot } from '@parley/client/public';
import type { ConversationConnection } from './connection.ts';

/** The parts of polling. */
export interface PollingOptions {
  connection: Pick<ConversationConnection, 'call' | 'pause'>;
  /** Whether to poll now. */
  isActive: () => boolean;
  /** The number of the newest entry that is known; 0 for none. */
  seq: () => number;
  /** Handles a snapshot. */
  take: (snapshot: Snapshot, signal: AbortSignal) => Promise<void>;
  /** The server refuses the conversation for good. */
  onRefused: (error: unknown) => void;
}

/** Polls a conversation on the server. */
export interface Polling {
  /** Polls at once and as long as `isActive`. Call it whenever that may have changed. */
  restart(): void;
  /** Stops with the current call; `restart` starts again. */
  stop(): void;
}

const waitSeconds = 25;
/** The shortest time between polls that return nothing new. */
const pollMsMin = 1_000;

/** Uses long polls, one at a time; the first does not wait. */
export function createPolling({ connection, isActive, seq, take, onRefused }: PollingOptions): Polling {
  let current: AbortController | undefined;

  const poll = async (signal: AbortSignal): Promise<void> => {
    try {
      for (let wait = 0; isActive(); wait = waitSeconds) {
        const after = seq();
        const startedAt = performance.now();
        const snapshot = await connection.call(
          (client, id) => client.getConversation(id, { after, wait }, { signal }),
          signal,
        );
        await take(snapshot, signal);
        const restMs = pollMsMin - (performance.now() - startedAt);
        if (wait > 0 && snapshot.seq === after && restMs > 0) await connection.pause(restMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) onRefused(error);
    }
  };

  const stop = (): void => current?.abort();
  return {
    restart: () => {
      stop();
      current = new AbortController();
      void poll(current.signal);
    },
    stop,
  };
}
