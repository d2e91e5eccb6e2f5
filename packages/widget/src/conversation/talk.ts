import type { Snapshot } from '@parley/client/public';
import type { SubmissionResult } from './submission.ts';
import { notify } from '../page/events.ts';
import { asParleyError } from '../customer/failure.ts';
import { tagOf } from '../page/language-tag.ts';
import { type ConversationConnection, openConnection } from './connection.ts';
import type { Talk, TalkState } from '../model.ts';
import { createStore, type Store } from '../page/store.ts';
import type { WidgetPage } from '../page/page.ts';
import { createPolling, type Polling } from './polling.ts';
import { createSending, type Sending } from './sending.ts';
import type { Session } from '../customer/session.ts';
import { withSnapshot, isEnded, isPending, withRefusal, withResult, initialTalk } from './talk-state.ts';

export interface TalkOptions {
  session: Session;
  /** Disposes of the conversation when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Default: the interaction of the session. */
  interactionId?: string | undefined;
  botName?: string | undefined;
  /** The customer's language: the bot uses it if it can. */
  locale?: string | undefined;
  /** A conversation in progress continues without `start()`. */
  resumes: boolean;
  page: WidgetPage;
  /** Called after every change, also without subscribers. */
  onChange?: (state: TalkState, former: TalkState) => void;
  /**
   * Receives errors that are no state of the conversation: of the page's token call, and calls that are rejected for
   * good.
   */
  onError?: (error: unknown) => void;
}

interface TalkParts {
  options: TalkOptions;
  signal: AbortSignal;
  store: Store<TalkState>;
  connection: ConversationConnection;
  polling: Polling;
  sending: Sending;
  /** The customer has started or resumed the conversation here. */
  isResumed: boolean;
  isStarting: boolean;
}

/**
 * Returns one conversation over the public API. Keeps the customer's answer until the server has it; it arrives once.
 */
export function createTalk(options: TalkOptions): Talk {
  const life = new AbortController();
  const { signal } = life;
  const parts = assemble(options, signal);
  const { store, connection, polling, sending } = parts;
  listenToPage(parts);

  const dispose = (): void => {
    life.abort();
    store.end();
    polling.stop();
    connection.close();
  };
  options.signal?.addEventListener('abort', dispose, { once: true, signal });
  if (options.signal?.aborted) dispose();
  return {
    get state() {
      return store.state;
    },
    subscribe: (listener) => {
      const wasFollowed = store.hasSubscribers;
      const end = store.subscribe(listener);
      if (!wasFollowed) polling.restart();
      return () => {
        end();
        if (!store.hasSubscribers) polling.restart();
      };
    },
    start: () => start(parts),
    revise: (stepId) => revise(parts, stepId),
    send: sending.send,
    retry: () => {
      sending.again();
      polling.restart();
    },
    clearRefusal: sending.clearRefusal,
    dispose,
  };
}

function assemble(options: TalkOptions, signal: AbortSignal): TalkParts {
  const { page, session, interactionId, onError } = options;
  const store = createStore(initialTalk(options.botName), options.onChange);
  const connection = openConnection({
    session,
    interactionId,
    store,
    onNotified: () => polling.restart(),
    onError,
  });
  const sending = createSending({
    connection,
    store,
    signal,
    onSettled: (result) => settle(parts, result),
  });
  const polling = createPolling({
    connection,
    page,
    isActive: () =>
      !signal.aborted && store.hasSubscribers && page.isVisible() && !isEnded(store.state.stage),
    seq: () => store.state.snapshot?.seq ?? 0,
    take: async (snapshot, polled) => {
      // The screen must not show the entry of a pending answer twice, nor the next question before it.
      await sending.untilIdle();
      polled.throwIfAborted();
      adopt(parts, snapshot);
    },
    onRefused: (error) => fail(parts, error, 'poll'),
  });
  const isResumed = options.resumes;
  const parts: TalkParts = {
    options,
    signal,
    store,
    connection,
    polling,
    sending,
    isResumed,
    isStarting: false,
  };
  return parts;
}

function listenToPage({ options: { page }, signal, store, connection, polling }: TalkParts): void {
  page.on('visible', polling.restart, signal);
  page.on('hidden', polling.restart, signal);
  const onOffline = (): void => {
    if (!isEnded(store.state.stage)) store.set({ isOffline: true, serverFault: undefined });
  };
  page.on('offline', onOffline, signal);
  const onOnline = (): void => {
    connection.wake();
    // A poll from before may wait for an answer that cannot arrive any more.
    polling.restart();
  };
  page.on('online', onOnline, signal);
}

function adopt({ store, isResumed }: TalkParts, snapshot: Snapshot): void {
  store.set(withSnapshot(store.state, snapshot, isResumed));
}

/** Handles a call that was rejected for good. */
function fail({ options, store, polling }: TalkParts, error: unknown, call?: 'poll'): void {
  const status = asParleyError(error)?.status;
  // The conversation can still be read: its snapshot shows how it has ended.
  if (status === 410 && call !== 'poll') return polling.restart();
  store.set(withRefusal(error));
  if (status !== 404 && status !== 410) notify(options.onError, error);
}

/** Gets the earlier question. A conversation that has moved on keeps its own. */
function revise({ store, signal, connection, polling }: TalkParts, stepId: string | null): void {
  if (isPending(store.state)) return;
  if (stepId === null) return store.set({ revising: undefined, outgoing: undefined });
  const got = connection.call(
    (client, id) => client.getConversation(id, { revisedStepId: stepId }, { signal }),
    signal,
  );
  got.then(({ input }) => {
    if (!isPending(store.state) && input?.stepId === stepId)
      store.set({ revising: input, outgoing: undefined });
  }, polling.restart);
}

function settle(parts: TalkParts, result: SubmissionResult): void {
  const { options, store, connection } = parts;
  const { snapshot, ending, fault } = result;
  // First: a listener of the change may dispose of the conversation.
  if (snapshot) connection.notifyTabs();
  store.set(withResult(store.state, result, parts.isResumed));
  if (ending) fail(parts, ending);
  if (fault) notify(options.onError, fault);
  connection.wake();
}

function start(parts: TalkParts): void {
  const { store } = parts;
  const { stage } = store.state;
  if (stage !== 'ready' && stage !== 'resumable') return;
  parts.isResumed = true;
  if (stage === 'resumable') store.set({ stage: 'talking' });
  else if (!parts.isStarting) void startOnServer(parts);
}

async function startOnServer(parts: TalkParts): Promise<void> {
  const { options, signal, connection } = parts;
  parts.isStarting = true;
  try {
    const locale = tagOf(options.locale);
    const snapshot = await connection.call(
      (client, id) => client.startConversation(id, locale === undefined ? undefined : { locale }, { signal }),
      signal,
    );
    connection.notifyTabs();
    adopt(parts, snapshot);
  } catch (error) {
    if (!signal.aborted) fail(parts, error);
  } finally {
    parts.isStarting = false;
  }
}
