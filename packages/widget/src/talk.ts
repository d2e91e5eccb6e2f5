import type { Snapshot } from '@parley/client/public';
import type { Settlement } from './delivery.ts';
import { notify } from './events.ts';
import { ofApi } from './failure.ts';
import { tagOf } from './language-tag.ts';
import { openLine } from './line.ts';
import type { Talk, TalkState } from './model.ts';
import { observe } from './observed.ts';
import type { Page } from './page.ts';
import { createPolling } from './polling.ts';
import { createSending } from './sending.ts';
import type { Session } from './session.ts';
import { adopted, isEnded, refused, settled, unknownTalk } from './talk-state.ts';

/** What a talk is made of. */
export interface TalkOptions {
  session: Session;
  /** Disposes of the talk when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Unless given, the one that the session is for. */
  interactionId?: string | undefined;
  botName?: string | undefined;
  /** The customer's language as the page names it: the bot speaks it where it can. */
  locale?: string | undefined;
  /** One in progress goes on at once, without a `start()`. */
  resumes: boolean;
  page: Page;
  /** Called after every change, also while nobody is subscribed. */
  onChange?: (state: TalkState, former: TalkState) => void;
  /** Told of failures that are no state of the talk: the page's token call, calls that are refused for good. */
  onError?: (error: unknown) => void;
}

/** What makes a talk. */
export type CreateTalk = typeof createTalk;

/**
 * One talk over the public API. What the customer has said is kept until the server has it, and sent again under the
 * same id: it arrives once.
 */
export function createTalk(options: TalkOptions): Talk {
  const { page, session, interactionId, onError } = options;
  const life = new AbortController();
  const { signal } = life;
  let isTakenUp = options.resumes;
  let isStarting = false;

  const held = observe(unknownTalk(options.botName), options.onChange);
  const line = openLine({ session, interactionId, held, onTold: () => polling.renew(), onError });
  const sending = createSending({ line, held, signal, onSettled: (settlement) => settle(settlement) });
  const polling = createPolling({
    line,
    isWanted: () => !signal.aborted && held.isFollowed && page.isVisible() && !isEnded(held.state.stage),
    seq: () => held.state.snapshot?.seq ?? 0,
    take: async (snapshot, polled) => {
      // What is on its way tells itself what became of it: its entry must not be seen beside it, nor the next question before.
      await sending.untilSettled();
      polled.throwIfAborted();
      adopt(snapshot);
    },
    onRefused: (error) => fail(error, 'poll'),
  });

  const adopt = (snapshot: Snapshot): void => held.set(adopted(held.state, snapshot, isTakenUp));

  /** A call was refused for good. */
  const fail = (error: unknown, call?: 'poll'): void => {
    const status = ofApi(error)?.status;
    // The talk itself can still be read: it tells how it has ended.
    if (status === 410 && call !== 'poll') return polling.renew();
    held.set(refused(status));
    if (status !== 404 && status !== 410) notify(onError, error);
  };

  const settle = (settlement: Settlement): void => {
    const { snapshot, ending, fault } = settlement;
    // First: who hears of the change may dispose of the talk.
    if (snapshot) line.tellTabs();
    held.set(settled(held.state, settlement, isTakenUp));
    if (ending) fail(ending);
    if (fault) notify(onError, fault);
    line.wake();
  };

  const begin = async (): Promise<void> => {
    isStarting = true;
    try {
      const locale = tagOf(options.locale);
      const snapshot = await line.call(
        (client, id) => client.startConversation(id, { signal, locale }),
        signal,
      );
      line.tellTabs();
      adopt(snapshot);
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      isStarting = false;
    }
  };

  const dispose = (): void => {
    life.abort();
    held.end();
    polling.stop();
    line.close();
    for (const end of endings) end();
    endings.length = 0;
  };

  const endings = [
    page.on('visible', polling.renew),
    page.on('hidden', polling.renew),
    page.on('offline', () => {
      if (!isEnded(held.state.stage)) held.set({ isOffline: true });
    }),
    // A poll of before may wait for an answer that no longer has a way.
    page.on('online', () => {
      line.wake();
      polling.renew();
    }),
  ];

  options.signal?.addEventListener('abort', dispose, { once: true, signal });
  if (options.signal?.aborted) dispose();
  return {
    get state() {
      return held.state;
    },
    subscribe: (listener) => {
      const wasFollowed = held.isFollowed;
      const end = held.subscribe(listener);
      if (!wasFollowed) polling.renew();
      return () => {
        end();
        if (!held.isFollowed) polling.renew();
      };
    },
    start: () => {
      const { stage } = held.state;
      if (stage !== 'ready' && stage !== 'resumable') return;
      isTakenUp = true;
      if (stage === 'resumable') held.set({ stage: 'talking' });
      else if (!isStarting) void begin();
    },
    send: sending.send,
    retry: () => {
      sending.again();
      polling.renew();
    },
    clearRefusal: sending.clearRefusal,
    dispose,
  };
}
