/**
 * Events of the page. `left`: the browser may keep it, with all that it shows, for the back button; `restored`: it has
 * come back from there.
 */
export type PageEvent = 'visible' | 'hidden' | 'online' | 'offline' | 'focus' | 'left' | 'restored';

const transitions: Partial<Record<PageEvent, 'pagehide' | 'pageshow'>> = {
  left: 'pagehide',
  restored: 'pageshow',
};

export interface Page {
  isVisible(): boolean;
  /** Calls the listener until the signal aborts. */
  on(event: PageEvent, listener: () => void, signal: AbortSignal): void;
  /**
   * Requests the long poll that all pages of the origin share. Calls the listener when this page has it, until the
   * signal aborts. Without Web Locks (a page that is not secure) it is never called.
   */
  requestLongPoll(onGranted: () => void, signal: AbortSignal): void;
}

/** The lock of the long poll. One name for all conversations: the browser's limit of connections is for all, too. */
const lockName = 'parley:long-poll';

export function browserPage(): Page {
  return {
    isVisible: () => document.visibilityState === 'visible',
    on: (event, listener, signal) => {
      const transition = transitions[event];
      if (transition) {
        window.addEventListener(transition, ({ persisted }) => persisted && listener(), { signal });
        return;
      }
      if (event !== 'visible' && event !== 'hidden') {
        window.addEventListener(event, listener, { signal });
        return;
      }
      const onChange = (): void => {
        if (document.visibilityState === event) listener();
      };
      document.addEventListener('visibilitychange', onChange, { signal });
    },
    requestLongPoll: (onGranted, signal) => {
      const hold = (): Promise<void> =>
        new Promise((release) => {
          signal.addEventListener('abort', () => release(), { once: true });
          onGranted();
        });
      // Rejects when the signal aborts before, and where the browser refuses locks, as in a sandbox.
      navigator.locks?.request(lockName, { signal }, hold).catch(() => {});
    },
  };
}
