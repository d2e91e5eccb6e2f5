// The UI chunk: all that is needed only once there is something to show.
export { createTalk } from './talk.ts';
export { tell } from './tell.ts';
export { mountPopup } from './ui/popup.tsx';
