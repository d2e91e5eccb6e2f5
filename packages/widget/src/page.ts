/** Events of the page. */
export type PageEvent = 'visible' | 'hidden' | 'online' | 'offline' | 'focus';

/** The state of the page that polling depends on. */
export interface Page {
  isVisible(): boolean;
  /** Calls the listener until the signal aborts. */
  on(event: PageEvent, listener: () => void, signal: AbortSignal): void;
}

/** The page of the browser. */
export function browserPage(): Page {
  return {
    isVisible: () => document.visibilityState === 'visible',
    on: (event, listener, signal) => {
      if (event !== 'visible' && event !== 'hidden') {
        window.addEventListener(event, listener, { signal });
        return;
      }
      const onChange = (): void => {
        if (document.visibilityState === event) listener();
      };
      document.addEventListener('visibilitychange', onChange, { signal });
    },
  };
}
