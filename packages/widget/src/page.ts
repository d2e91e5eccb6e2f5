/** Events of the page. */
export type PageEvent = 'visible' | 'hidden' | 'online' | 'offline' | 'focus';

/** The state of the page that polling depends on. */
export interface Page {
  isVisible(): boolean;
  /** Returns a function that removes the listener. */
  on(event: PageEvent, listener: () => void): () => void;
}

/** The page of the browser. */
export function browserPage(): Page {
  return {
    isVisible: () => document.visibilityState === 'visible',
    on: (event, listener) => {
      if (event !== 'visible' && event !== 'hidden') return listen(window, event, listener);
      return listen(document, 'visibilitychange', () => {
        if (document.visibilityState === event) listener();
      });
    },
  };
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
