import type { SessionClient } from '@parley/client/public';
import { notify } from './events.ts';
import { isWithoutServer, ofApi } from './failure.ts';
import { createInsistence, type Insistence } from './insist.ts';
import type { TalkState } from './model.ts';
import type { Observed } from './observed.ts';
import type { Session } from './session.ts';
import { joinTabs, type Tabs } from './tabs.ts';

/** What a talk's line is made of. */
export interface LineOptions {
  session: Session;
  /** Unless given, the one that the session is for. */
  interactionId: string | undefined;
  /** What the line changes in it: whether there is a network, and the bot's name where only the session tells it. */
  held: Observed<TalkState>;
  /** Another tab has moved the talk on. */
  onTold: () => void;
  /** Told of failures that are none of the API's. */
  onError: ((error: unknown) => void) | undefined;
}

/** One talk's way to the server, and to the other tabs that show it. */
export interface Line extends Pick<Insistence, 'pause' | 'wake'> {
  /**
   * Makes the call until it succeeds or fails for good (`Insistence`); `troubled` is what else changes in the state with each
   * failure that passes.
   */
  call<Result>(
    work: (client: SessionClient, interactionId: string) => Promise<Result>,
    signal: AbortSignal,
    troubled?: Partial<TalkState>,
  ): Promise<Result>;
  /** Tells the other tabs that the talk has moved on. */
  tellTabs(): void;
  close(): void;
}

/** Calls nobody yet: which interaction it is may be known only with the first session. */
export function openLine({ session, held, onTold, onError, ...options }: LineOptions): Line {
  const { insist, pause, wake } = createInsistence(session);
  let { interactionId } = options;
  let tabs: Tabs | undefined;
  return {
    call: async (work, signal, troubled) => {
      const result = await insist(
        (client, { link }) => {
          signal.throwIfAborted();
          if (link && !held.state.botName) held.set({ botName: link.botName });
          interactionId ??= link?.interactionId ?? '';
          tabs ??= joinTabs(interactionId, onTold);
          return work(client, interactionId);
        },
        signal,
        (error) => {
          held.set({ isOffline: isWithoutServer(error), ...troubled });
          if (!ofApi(error)) notify(onError, error);
        },
      );
      held.set({ isOffline: false });
      return result;
    },
    pause,
    wake,
    tellTabs: () => tabs?.tell(),
    close: () => tabs?.close(),
  };
}
