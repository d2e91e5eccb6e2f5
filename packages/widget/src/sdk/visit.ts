import { toJson } from '@parley/client/public';
import { type Customer, connectCustomer, type CustomerOptions } from '../customer/customer.ts';
import type { Events } from '../page/events.ts';
import { openTabStorage, type TabStorage } from '../page/tab-storage.ts';
import { localeNow } from '../page/locale-now.ts';
import type { Waiting } from '../model.ts';
import { createPanel, type LoadUi, type Panel } from './panel.ts';
import type { InitOptions, WidgetEvents } from './init-options.ts';
import { isEnded, isPending } from '../conversation/talk-state.ts';

export interface VisitOptions extends InitOptions {
  events: Events<WidgetEvents>;
  loadUi: LoadUi;
  firstToken: string | undefined;
  isDormant: boolean;
  onOtherCustomer: CustomerOptions['onOtherCustomer'];
}

/** Everything of one customer on one page. */
export interface Visit {
  check: Customer['check'];
  /** Returns whether there was something to open. */
  open(interactionId: string | undefined): Promise<boolean>;
  close(): void;
  end(): void;
  /** Ends it in every tab, and clears the storage of this one. */
  logout(): void;
}

interface VisitState {
  options: VisitOptions;
  storage: TabStorage;
  customer: Customer;
  panel: Panel;
  /** Whether a panel may still open by itself. */
  mayOpen: boolean;
  /** Another interaction waits than the shown one. */
  isStale?: boolean;
  /** The last result, and the content of the popup. */
  available?: Waiting | undefined;
  shown?: Waiting | undefined;
}

/** Starts to ask what waits for the customer, and shows it by its priority. */
export function createVisit(options: VisitOptions): Visit {
  const storage = openTabStorage(options.workspaceId);
  const customer = connectCustomer({
    ...options,
    get locale() {
      return localeNow(options);
    },
    onFound: (waiting) => found(visit, waiting),
    onError: (error) => fail(visit, error),
    onOtherCustomer: (token, reason) => {
      // A panel that was open is open again when the same customer comes back.
      end(visit, reason === 'left' ? undefined : 'forget');
      options.onOtherCustomer(token, reason);
    },
  });
  const { check } = customer;
  const panel = createPanel({
    ...options,
    customer,
    storage,
    onClosed: () => {
      if (visit.isStale || isEnded(panel.talk()?.stage)) check().catch(() => {});
      visit.isStale = false;
    },
    onError: (error) => fail(visit, error),
  });
  const mayOpen = options.autoOpen ?? true;
  const visit: VisitState = { options, storage, customer, panel, mayOpen };
  return {
    check,
    open: (interactionId) => open(visit, interactionId),
    close: () => panel.popup()?.close(),
    end: () => end(visit),
    logout: () => {
      customer.logout();
      end(visit, 'forget');
    },
  };
}

function fail({ customer, options }: VisitState, error: unknown): void {
  if (!customer.signal.aborted) options.events.emit('error', { error });
}

function end({ customer, storage, panel }: VisitState, forget?: 'forget'): void {
  customer.end();
  if (forget) storage.forget();
  panel.end();
}

function found(visit: VisitState, waiting: Waiting | null): void {
  const { panel, storage, shown } = visit;
  const talk = panel.talk();
  if (waiting || talk) panel.refresh().catch((error: unknown) => fail(visit, error));
  if (panel.opened() || (talk && isPending(talk))) {
    // An open panel stays, and a pending answer must arrive: `onClosed` asks again.
    visit.isStale = waiting?.interactionId !== shown?.interactionId;
    return;
  }
  const isNew = waiting?.interactionId !== visit.available?.interactionId;
  visit.available = waiting ?? undefined;
  if (!waiting) {
    // Nothing of this customer waits any more, or they are logged out.
    storage.forget();
    // The customer can read an ended conversation again.
    if (isEnded(talk?.stage)) return;
    visit.shown = undefined;
    panel.clear();
    return;
  }
  // Nothing else waits: other entries belong to a former customer or are outdated.
  if (waiting.more === 0) storage.retain(waiting.interactionId);
  if (isNew) visit.options.events.emit('available', waiting);
  if (toJson(shown) === toJson(waiting)) return;
  present(visit, waiting).catch((error: unknown) => fail(visit, error));
}

async function present(visit: VisitState, waiting: Waiting): Promise<void> {
  const { options, panel, storage, customer } = visit;
  const { popupModeOf } = await options.loadUi();
  const popup = await panel.mounted();
  if (customer.signal.aborted || panel.opened() || visit.available !== waiting) return;
  visit.shown = waiting;
  const mode = popupModeOf(waiting, storage, visit.mayOpen);
  // A panel opens automatically once. One that the customer has left open does not count.
  if (mode === 'open' && storage.opened() !== waiting.interactionId) visit.mayOpen = false;
  popup.show(waiting, mode);
}

async function open(visit: VisitState, interactionId: string | undefined): Promise<boolean> {
  const { customer, panel } = visit;
  const waiting = await (interactionId === undefined
    ? (visit.shown ?? customer.check())
    : named(visit, interactionId));
  if (!waiting) return false;
  const popup = await panel.mounted();
  if (customer.signal.aborted) return false;
  if (visit.shown?.interactionId !== waiting.interactionId) popup.show(waiting, 'badge');
  visit.shown = waiting;
  popup.open();
  return true;
}

/** Returns the interaction that the page names; null when there is none for the customer. */
async function named(
  { customer, options, shown, available }: VisitState,
  interactionId: string,
): Promise<Waiting | null> {
  const known = [shown, available].find((one) => one?.interactionId === interactionId);
  return known ?? (await options.loadUi()).lookUp(customer, interactionId);
}
