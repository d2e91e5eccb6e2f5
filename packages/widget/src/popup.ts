// The UI chunk: all that is needed only once there is something to show.
export { bodyIsThere } from './body.ts';
export { holdTalks } from './held-talks.ts';
export { lookUp } from './look-up.ts';
export { popupModeOf } from './popup-mode.ts';
export { createTalk } from './talk.ts';
export { tell } from './tell.ts';
export { mountPopup } from './ui/popup.tsx';
