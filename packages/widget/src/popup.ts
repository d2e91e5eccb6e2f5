// The UI chunk: all code that is needed only once there is something to show.
export { bodyReady } from './body.ts';
export { createTalkPool } from './talk-pool.ts';
export { lookUp } from './look-up.ts';
export { popupModeOf } from './popup-mode.ts';
export { createTalk } from './talk.ts';
export { emitEvents } from './emit-events.ts';
export { mountPopup } from './ui/popup.tsx';
