import type { Page, PageEvent } from '../src/page/page.ts';

/** A page whose visibility a test controls. */
export interface TestPage extends Page {
  show(): void;
  hide(): void;
  fire(event: PageEvent): void;
  listening(): number;
}

/** Returns a page that is visible at first. */
export function testPage(): TestPage {
  const target = new EventTarget();
  let isVisible = true;
  let listening = 0;
  const fire = (event: PageEvent): void => void target.dispatchEvent(new Event(event));
  return {
    isVisible: () => isVisible,
    on: (event, listener, signal) => {
      if (signal.aborted) return;
      listening += 1;
      target.addEventListener(event, listener, { signal });
      signal.addEventListener('abort', () => (listening -= 1));
    },
    requestLongPoll: (onGranted) => onGranted(),
    show: () => {
      isVisible = true;
      fire('visible');
    },
    hide: () => {
      isVisible = false;
      fire('hidden');
    },
    fire,
    listening: () => listening,
  };
}
