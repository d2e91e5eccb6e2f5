// The UI chunk: all code that is needed only once there is something to show.
export { createTalkPool } from './conversation/talk-pool.ts';
export { lookUp } from './customer/look-up.ts';
export { popupModeOf } from './sdk/popup-mode.ts';
export { createTalk } from './conversation/talk.ts';
export { emitEvents } from './sdk/emit-events.ts';
export { mountPopup } from './ui/screens/popup.tsx';

/** Resolves once the page has a body: a script in the head may run before. */
export function bodyReady(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
