import { type Customer, connectCustomer } from './customer.ts';
import type { Events } from './events.ts';
import { isPassing } from './failure.ts';
import { openKept } from './kept.ts';
import type { MountPopup, Popup, PopupMode, Talk, Waiting } from './model.ts';
import type { InitOptions, WidgetEvents } from './sdk.ts';
import type { CreateTalk } from './talk.ts';
import { isEnded, isOnItsWay } from './talk-state.ts';
import type { Tell } from './tell.ts';

/** Fetches talk and screens (`popup.ts`); called when there is something to show. */
export type LoadUi = () => Promise<Ui>;

interface Ui {
  mountPopup: MountPopup;
  createTalk: CreateTalk;
  tell: Tell;
}

/** What the visit of one customer is made of. */
export interface VisitOptions extends InitOptions {
  events: Events<WidgetEvents>;
  loadUi: LoadUi;
  firstToken: string | undefined;
  onOtherCustomer: (token: string | undefined) => void;
}

/** All that belongs to one customer on one page: nothing of it outlives its end. */
export interface Visit {
  check: Customer['check'];
  /** Answers whether there was something to open. */
  open(interactionId: string | undefined): Promise<boolean>;
  close(): void;
  /** `forget`: what the tab keeps goes, too. */
  end(forget?: 'forget'): void;
}

/** Begins to ask what waits for the customer, and shows it by its priority. */
export function createVisit(options: VisitOptions): Visit {
  const { events, loadUi, container, theme, autoOpen = true } = options;
  const kept = openKept(options.workspaceId);
  let isOver = false;
  /** The interaction whose panel is open. */
  let opened: string | undefined;
  let hasOpenedItself = false;
  let hasMissedNews = false;
  let available: Waiting | undefined;
  let shown: Waiting | undefined;
  /** The talk of the panel. */
  let held: { interactionId: string; talk: Talk } | undefined;
  /** By interaction: that one, and former ones with an answer that has still to arrive. */
  const talks = new Map<string, Talk>();
  let mounting: Promise<Popup> | undefined;
  let popup: Popup | undefined;

  const fail = (error: unknown): void => {
    if (!isOver) events.emit('error', { error });
  };

  const found = (waiting: Waiting | null): void => {
    if (waiting || held) popup?.refresh();
    if (opened || (held && isOnItsWay(held.talk.state))) {
      // The panel is the customer's, and what is on its way has to arrive; what has changed is looked up afterwards.
      hasMissedNews = waiting?.interactionId !== shown?.interactionId;
      return;
    }
    const isNew = waiting?.interactionId !== available?.interactionId;
    available = waiting ?? undefined;
    if (!waiting) {
      // Whoever was here: nothing of theirs waits any more, or they are logged out.
      kept.forget();
      // What has ended on this page can be read again.
      if (held && isEnded(held.talk.state.stage)) return;
      letGo();
      shown = undefined;
      popup?.hide();
      return;
    }
    // All that waits: what is kept of others is a former customer's, or past.
    if (waiting.more === 0) kept.retain(waiting.interactionId);
    if (isNew) events.emit('available', waiting);
    if (JSON.stringify(shown) === JSON.stringify(waiting)) return;
    present(waiting).catch(fail);
  };

  const present = async (waiting: Waiting): Promise<void> => {
    const ui = await mounted();
    if (isOver || opened || available !== waiting) return;
    shown = waiting;
    ui.show(waiting, modeOf(waiting));
  };

  const modeOf = ({ interactionId, priority }: Waiting): PopupMode => {
    if (kept.opened() === interactionId) return 'open';
    if (priority === 'Low' || kept.isSnoozed(interactionId)) return 'badge';
    if (priority === 'Medium' || !autoOpen || hasOpenedItself) return 'teaser';
    hasOpenedItself = true;
    return 'open';
  };

  const mounted = async (): Promise<Popup> => {
    mounting ??= mount();
    try {
      return await mounting;
    } catch (error) {
      mounting = undefined;
      throw error;
    }
  };

  const mount = async (): Promise<Popup> => {
    const [ui] = await Promise.all([loadUi(), bodyIsThere()]);
    if (isOver) throw new Error('the widget has been taken away');
    popup = ui.mountPopup({
      // Beside the body: one that is moved or replaced takes nothing along.
      container: container ?? document.documentElement,
      get locale() {
        return localeNow();
      },
      strings: options.strings,
      theme: theme ?? {},
      talkFor: (waiting) => talkFor(waiting, ui),
      onOpen: ({ interactionId }) => {
        turnTo(interactionId);
        kept.setOpened(interactionId);
        events.emit('open', { interactionId });
      },
      onClose: ({ interactionId }) => {
        kept.setOpened(undefined);
        const hasEnded = held !== undefined && isEnded(held.talk.state.stage);
        if (!hasEnded) kept.snooze(interactionId);
        else if (shown) popup?.show(shown, 'quiet');
        turnTo(undefined);
        if (hasEnded || hasMissedNews) customer.check().catch(() => {});
        hasMissedNews = false;
      },
      onDismiss: ({ interactionId }) => kept.snooze(interactionId),
    });
    return popup;
  };

  const talkFor = ({ interactionId, botName }: Waiting, ui: Ui): Talk => {
    if (held?.interactionId !== interactionId) letGo();
    const talk = talks.get(interactionId) ?? newTalk(interactionId, botName, ui);
    talks.set(interactionId, talk);
    held = { interactionId, talk };
    return talk;
  };

  const newTalk = (interactionId: string, botName: string, { createTalk, tell }: Ui): Talk => {
    const talk = createTalk({
      session: customer.session,
      signal: customer.signal,
      page: customer.page,
      interactionId,
      botName,
      get locale() {
        return localeNow();
      },
      resumes: true,
      onChange: (state, former) => {
        tell(events, interactionId, state, former);
        if (held?.talk !== talk) disposeOnceSent(interactionId, talk);
      },
      onError: fail,
    });
    return talk;
  };

  const localeNow = (): string => options.locale || document.documentElement.lang || navigator.language;

  const letGo = (): void => {
    const former = held;
    held = undefined;
    if (former) disposeOnceSent(former.interactionId, former.talk);
  };

  /** What the customer has said arrives, also when the panel has turned to something else. */
  const disposeOnceSent = (interactionId: string, talk: Talk): void => {
    if (isOnItsWay(talk.state)) return;
    talks.delete(interactionId);
    talk.dispose();
  };

  /** The panel is of another interaction from now on, or of none. */
  const turnTo = (interactionId: string | undefined): void => {
    const former = opened;
    opened = interactionId;
    if (former) events.emit('close', { interactionId: former });
  };

  const end: Visit['end'] = (forget) => {
    isOver = true;
    customer.end();
    popup?.unmount();
    if (forget) kept.forget();
    turnTo(undefined);
  };

  const customer = connectCustomer({
    ...options,
    get locale() {
      return localeNow();
    },
    onFound: found,
    onError: fail,
    onOtherCustomer: (token) => {
      end('forget');
      options.onOtherCustomer(token);
    },
  });

  return {
    check: customer.check,
    open: async (interactionId) => {
      const waiting =
        interactionId === undefined ? (shown ?? (await customer.check())) : await named(interactionId);
      if (!waiting) return false;
      const ui = await mounted();
      if (isOver) return false;
      if (shown?.interactionId !== waiting.interactionId) ui.show(waiting, 'badge');
      shown = waiting;
      ui.open();
      return true;
    },
    close: () => popup?.close(),
    end,
  };

  /** The interaction that the page names, as far as the API tells of it; null where there is none for the customer. */
  async function named(interactionId: string): Promise<Waiting | null> {
    const known = [shown, available].find((one) => one?.interactionId === interactionId);
    if (known) return known;
    const { session, signal } = customer;
    try {
      const { status, expiresAt } = await session.call(
        ({ client }) => client.getConversation(interactionId, {}, { signal }),
        signal,
      );
      return { ...nameless, interactionId, status, expiresAt };
    } catch (error) {
      if (isPassing(error)) throw error;
      return null;
    }
  }
}

/** What the API tells only of the one that waits first. */
const nameless = { type: '', priority: 'Medium', botName: '', teaser: '', more: 0 } as const;

/** A script in the head may run before there is a body. */
function bodyIsThere(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
