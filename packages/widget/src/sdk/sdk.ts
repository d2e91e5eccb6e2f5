import { createEvents } from '../page/events.ts';
import type { InitOptions, WidgetEvents } from './init-options.ts';
import type { Waiting } from '../model.ts';
import type { LoadUi } from './panel.ts';
import { createVisit, type Visit } from './visit.ts';

/** The widget on a page. */
export interface Widget {
  /** Returns a function that removes the listener. An error of a listener stops nothing. */
  on<Name extends keyof WidgetEvents>(
    name: Name,
    listener: (payload: WidgetEvents[Name]) => void,
  ): () => void;
  /**
   * Asks at once what waits, or after the current call. Returns null also for a failure. Starts again after a `logout`.
   */
  check(): Promise<Waiting | null>;
  /** Opens what waits, or the named interaction; false when there is none. Starts again after a `logout`. */
  open(interactionId?: string): Promise<boolean>;
  close(): void;
  /**
   * Ends every call of the customer, and removes all that was shown or stored, in every tab of this origin. The other
   * tabs ask for a customer again when they are used.
   */
  logout(): void;
  /** Removes the widget for good. May be called again. */
  destroy(): void;
}

/**
 * Sets the widget up: it asks what waits for the customer. Throws a TypeError for an invalid base URL, and without a
 * workspace or a token call. Later errors are events `error`.
 */
export function init(options: InitOptions, loadUi: LoadUi): Widget {
  const events = createEvents<WidgetEvents>();
  let isDestroyed = false;
  let visit: Visit | undefined;
  const begin = (firstToken?: string, isDormant = false): Visit =>
    createVisit({
      ...options,
      events,
      loadUi,
      firstToken,
      isDormant,
      onOtherCustomer: (token, reason) => {
        if (!isDestroyed) visit = begin(token, reason !== 'changed');
      },
    });
  const current = (): Visit | undefined => (isDestroyed ? undefined : (visit ??= begin()));
  current();
  return {
    on: events.on,
    check: async () =>
      (await current()
        ?.check()
        .catch(() => null)) ?? null,
    open: async (interactionId) => {
      try {
        return (await current()?.open(interactionId)) ?? false;
      } catch (error) {
        events.emit('error', { error });
        return false;
      }
    },
    close: () => visit?.close(),
    logout: () => {
      visit?.logout();
      visit = undefined;
    },
    destroy: () => {
      isDestroyed = true;
      visit?.end();
      visit = undefined;
      events.clear();
    },
  };
}
