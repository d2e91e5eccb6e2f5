import type { Snapshot } from '@parley/client/public';
import { type Delivery, deliver, type Settlement } from './delivery.ts';
import { notify } from './events.ts';
import { isWithoutServer, ofApi } from './failure.ts';
import { createInsistence, type Work } from './insist.ts';
import { tagOf } from './language-tag.ts';
import type { Talk, TalkState } from './model.ts';
import type { Page } from './page.ts';
import type { Session } from './session.ts';
import { joinTabs, type Tabs } from './tabs.ts';
import { adopted, isEnded, isOnItsWay } from './talk-state.ts';

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

const waitSeconds = 25;
/** A poll that is answered sooner, with nothing new, is not followed by the next one at once. */
const pollMsMin = 1_000;

/** What makes a talk. */
export type CreateTalk = typeof createTalk;

/**
 * One talk over the public API. What the customer has said is kept until the server has it, and sent again under the
 * same id: it arrives once.
 */
export function createTalk(options: TalkOptions): Talk {
  const { page } = options;
  const life = new AbortController();
  const calls = createInsistence(options.session);
  const listeners = new Set<() => void>();
  let { interactionId } = options;
  let tabs: Tabs | undefined;
  let following: AbortController | undefined;
  let isTakenUp = options.resumes;
  let isStarting = false;
  let delivery: Delivery | undefined;
  let state: TalkState = {
    stage: 'loading',
    botName: options.botName ?? '',
    snapshot: undefined,
    outgoing: undefined,
    isOffline: false,
  };

  const set = (change: Partial<TalkState>): void => {
    if (life.signal.aborted) return;
    const former = state;
    const next = { ...state, ...change };
    if ((Object.keys(next) as (keyof TalkState)[]).every((key) => next[key] === former[key])) return;
    state = next;
    notify(options.onChange, state, former);
    for (const listener of listeners) notify(listener);
  };

  const insist = async <Result>(
    work: (client: Parameters<Work<Result>>[0], id: string) => Promise<Result>,
    signal: AbortSignal,
    troubled: Partial<TalkState> = {},
  ): Promise<Result> => {
    const result = await calls.insist(
      (client, { link }) => {
        signal.throwIfAborted();
        if (link) set({ botName: link.botName });
        interactionId ??= link?.interactionId ?? '';
        tabs ??= joinTabs(interactionId, follow);
        return work(client, interactionId);
      },
      signal,
      (error) => {
        set({ isOffline: isWithoutServer(error), ...troubled });
        if (!ofApi(error)) notify(options.onError, error);
      },
    );
    set({ isOffline: false });
    return result;
  };

  const adopt = (snapshot: Snapshot, change: Partial<TalkState> = {}): void => {
    set({ ...adopted(state, snapshot, isTakenUp), ...change });
  };

  /** A call was refused for good. */
  const fail = (error: unknown, isPoll = false): void => {
    const status = ofApi(error)?.status;
    if (status === 410) {
      // The talk itself can still be read: it tells how it has ended.
      if (isPoll) set({ stage: 'expired', isOffline: false });
      else follow();
      return;
    }
    set({ stage: 'unavailable', isOffline: false });
    if (status !== 404) notify(options.onError, error);
  };

  /** Gets the talk now and keeps up with it, while somebody looks at it. */
  function follow(): void {
    following?.abort();
    if (life.signal.aborted || listeners.size === 0 || !page.isVisible() || isEnded(state.stage)) return;
    following = new AbortController();
    void keepUp(following.signal);
  }

  const keepUp = async (signal: AbortSignal): Promise<void> => {
    try {
      for (let wait = 0; !isEnded(state.stage); wait = waitSeconds) {
        const after = state.snapshot?.seq ?? 0;
        const startedAt = performance.now();
        const snapshot = await insist(
          (client, id) => client.getConversation(id, { after, wait }, { signal }),
          signal,
        );
        if (isOnItsWay(state)) {
          // It tells itself what became of it: its entry must not be seen beside it, nor the next question before. Since
          // the server can be reached it need not wait.
          calls.wake();
          await delivery?.settled;
        }
        signal.throwIfAborted();
        adopt(snapshot);
        const restMs = pollMsMin - (performance.now() - startedAt);
        if (wait > 0 && snapshot.seq === after && restMs > 0) await calls.pause(restMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) fail(error, true);
    }
  };

  const begin = async (): Promise<void> => {
    isStarting = true;
    try {
      const { signal } = life;
      const locale = tagOf(options.locale);
      adopt(await insist((client, id) => client.startConversation(id, { signal, locale }), signal));
      tabs?.tell();
    } catch (error) {
      if (!life.signal.aborted) fail(error);
    } finally {
      isStarting = false;
    }
  };

  const settle = ({ outgoing, snapshot, ending, fault }: Settlement): void => {
    if (life.signal.aborted) return;
    if (snapshot) {
      adopt(snapshot, { outgoing, isOffline: false });
      tabs?.tell();
    } else {
      set({ outgoing, isOffline: false });
    }
    if (ending) fail(ending);
    if (fault) notify(options.onError, fault);
    calls.wake();
  };

  const dispose = (): void => {
    life.abort();
    following?.abort();
    listeners.clear();
    tabs?.close();
    for (const end of endings) end();
    endings.length = 0;
  };

  const endings = [
    page.on('visible', follow),
    page.on('hidden', follow),
    page.on('offline', () => {
      if (!isEnded(state.stage)) set({ isOffline: true });
    }),
    // A poll of before may wait for an answer that no longer has a way.
    page.on('online', () => {
      calls.wake();
      follow();
    }),
  ];

  options.signal?.addEventListener('abort', dispose, { once: true, signal: life.signal });
  if (options.signal?.aborted) dispose();
  return {
    get state() {
      return state;
    },
    subscribe: (listener) => {
      // A function of its own: the same listener may subscribe twice.
      const own = (): void => listener();
      listeners.add(own);
      if (listeners.size === 1) follow();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) follow();
      };
    },
    start: () => {
      if (state.stage !== 'ready' && state.stage !== 'resumable') return;
      isTakenUp = true;
      if (state.stage === 'resumable') set({ stage: 'talking' });
      else if (!isStarting) void begin();
    },
    send: (answer, words) => {
      const { snapshot, stage } = state;
      if (!snapshot?.input || stage !== 'talking' || isOnItsWay(state)) return;
      const question = { seq: snapshot.seq, stepId: snapshot.input.stepId };
      delivery = deliver(question, answer, words, (message, outgoing) => {
        const { signal } = life;
        const troubled: Partial<TalkState> = { outgoing: { ...outgoing, state: 'waiting' } };
        return insist((client, id) => client.postMessage(id, message, { signal }), signal, troubled);
      });
      set({ outgoing: delivery.outgoing });
      // Before all others that wait for it: they find it settled.
      void delivery.settled.then(settle);
    },
    retry: () => {
      if (state.outgoing?.state === 'waiting') set({ outgoing: { ...state.outgoing, state: 'sending' } });
      calls.wake();
      follow();
    },
    clearRefusal: () => {
      if (state.outgoing?.state === 'refused') set({ outgoing: undefined });
    },
    dispose,
  };
}
