import { type Customer, connectCustomer } from './customer.ts';
import type { Events } from './events.ts';
import { openKept } from './kept.ts';
import { localeNow } from './locale-now.ts';
import type { Waiting } from './model.ts';
import { createPanel, type LoadUi } from './panel.ts';
import type { InitOptions, WidgetEvents } from './sdk.ts';
import { isEnded, isOnItsWay } from './talk-state.ts';

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
  const { events } = options;
  const kept = openKept(options.workspaceId);
  let { autoOpen: mayOpen = true } = options;
  let hasMissedNews = false;
  /** What was found last, and what the popup shows. */
  let available: Waiting | undefined;
  let shown: Waiting | undefined;

  const fail = (error: unknown): void => {
    if (!signal.aborted) events.emit('error', { error });
  };

  const found = (waiting: Waiting | null): void => {
    const talk = panel.talk();
    if (waiting || talk) panel.popup()?.refresh();
    if (panel.opened() || (talk && isOnItsWay(talk))) {
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
      if (isEnded(talk?.stage)) return;
      shown = undefined;
      panel.clear();
      return;
    }
    // All that waits: what is kept of others is a former customer's, or past.
    if (waiting.more === 0) kept.retain(waiting.interactionId);
    if (isNew) events.emit('available', waiting);
    if (JSON.stringify(shown) !== JSON.stringify(waiting)) present(waiting).catch(fail);
  };

  const present = async (waiting: Waiting): Promise<void> => {
    const { popupModeOf } = await options.loadUi();
    const popup = await panel.mounted();
    if (signal.aborted || panel.opened() || available !== waiting) return;
    shown = waiting;
    const mode = popupModeOf(waiting, kept, mayOpen);
    // By itself once: one that the customer has left open does not count.
    if (mode === 'open' && kept.opened() !== waiting.interactionId) mayOpen = false;
    popup.show(waiting, mode);
  };

  /** The one that the page names; null where there is none for the customer. */
  const named = async (interactionId: string) =>
    [shown, available].find((one) => one?.interactionId === interactionId) ??
    (await options.loadUi()).lookUp(customer, interactionId);

  const end: Visit['end'] = (forget) => {
    customer.end();
    if (forget) kept.forget();
    panel.end();
  };

  const customer = connectCustomer({
    ...options,
    get locale() {
      return localeNow(options);
    },
    onFound: found,
    onError: fail,
    onOtherCustomer: (token) => {
      end('forget');
      options.onOtherCustomer(token);
    },
  });
  const { check, signal } = customer;
  const panel = createPanel({
    ...options,
    customer,
    kept,
    onClosed: () => {
      if (hasMissedNews || isEnded(panel.talk()?.stage)) check().catch(() => {});
      hasMissedNews = false;
    },
    onError: fail,
  });

  return {
    check,
    open: async (interactionId) => {
      const waiting = await (interactionId === undefined ? (shown ?? check()) : named(interactionId));
      if (!waiting) return false;
      const popup = await panel.mounted();
      if (signal.aborted) return false;
      if (shown?.interactionId !== waiting.interactionId) popup.show(waiting, 'badge');
      shown = waiting;
      popup.open();
      return true;
    },
    close: () => panel.popup()?.close(),
    end,
  };
}
