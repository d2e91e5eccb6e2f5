import type { Snapshot } from '@parley/client/public';
import type { ConversationConnection } from './connection.ts';
import type { Page } from '../page/page.ts';

export interface PollingOptions {
  connection: Pick<ConversationConnection, 'call' | 'pause' | 'wake' | 'notifyTabs'>;
  page: Pick<Page, 'requestLongPoll'>;
  isActive: () => boolean;
  /** The number of the newest entry that is known; 0 for none. */
  seq: () => number;
  take: (snapshot: Snapshot, signal: AbortSignal) => Promise<void>;
  /** The server refuses the conversation for good. */
  onRefused: (error: unknown) => void;
}

export interface Polling {
  /** Polls at once and as long as `isActive`. Call it whenever that may have changed. */
  restart(): void;
  /** Stops with the current call; `restart` starts again. */
  stop(): void;
}

const waitSeconds = 25;
/** The shortest time between polls that return nothing new. */
const pollMsMin = 1_000;
/** The time between polls of a page without the long poll. Another page of the conversation notifies it sooner. */
const shortPollMs = 5_000;

/**
 * Uses long polls, one at a time; the first does not wait. Of all pages of an origin one has the long poll, because
 * browsers have six connections to a server. It notifies other pages of its conversation; all others poll shortly.
 */
export function createPolling(options: PollingOptions): Polling {
  const { connection, page, isActive, seq, take, onRefused } = options;
  let current: AbortController | undefined;

  const poll = async (signal: AbortSignal): Promise<void> => {
    let isGranted = false;
    if (isActive()) {
      page.requestLongPoll(() => {
        isGranted = true;
        connection.wake();
      }, signal);
    }
    try {
      for (let wait = 0; isActive(); wait = isGranted ? waitSeconds : 0) {
        const after = seq();
        const startedAt = performance.now();
        const snapshot = await connection.call(
          (client, id) => client.getConversation(id, { after, wait }, { signal }),
          signal,
        );
        await take(snapshot, signal);
        const hasNews = snapshot.seq > after;
        if (wait > 0 && hasNews) connection.notifyTabs();
        const restMs = pollMsMin - (performance.now() - startedAt);
        if (!isGranted) await connection.pause(snapshot.awaiting ? pollMsMin : shortPollMs, signal);
        else if (wait > 0 && !hasNews && restMs > 0) await connection.pause(restMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) onRefused(error);
    }
  };

  const stop = (): void => current?.abort();
  return {
    restart: () => {
      stop();
      const own = (current = new AbortController());
      // Its end also releases the long poll.
      void poll(own.signal).finally(() => own.abort());
    },
    stop,
  };
}
