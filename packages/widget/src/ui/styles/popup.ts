import { smallScreen } from './small-screen.ts';

export const popupCss = `
:host { position: fixed !important; inset: auto 0 0 auto !important; }
@media print { :host { display: none !important; } }
.launcher, .teaser, .panel { position: fixed; right: 20px; box-shadow: var(--shadow); }
.left .launcher, .left .teaser, .left .panel { right: auto; left: 20px; }
.launcher {
  bottom: 20px; display: grid; place-items: center; inline-size: 58px; block-size: 58px; border: 1px solid transparent;
  border-radius: min(50%, calc(var(--radius) * 2)); background: var(--fill); color: var(--onFill);
}
.launcher:focus-visible { outline-width: 3px; box-shadow: 0 0 0 2px var(--surface), var(--shadow); }
.launcher .icon { inline-size: 28px; block-size: 28px; }
.badge {
  position: absolute; inset-block-start: -3px; inset-inline-end: -3px; min-inline-size: 22px; padding-inline: 5px;
  border: 2px solid var(--surface); border-radius: 12px; background: #b3261e; color: #fff; font-size: 12px; font-weight: 700; line-height: 18px;
}
.teaser {
  bottom: 92px; display: flex; align-items: flex-start; gap: 2px; max-inline-size: min(320px, calc(100vw - 40px));
  padding: 6px; border: 1px solid transparent; border-radius: var(--radius); background: var(--surface);
}
.words { flex: 1; min-inline-size: 0; padding: 8px 4px 8px 10px; border-radius: var(--small-radius); text-align: start; }
[dir='rtl'] .words { padding: 8px 10px 8px 4px; }
.words strong { display: block; font-weight: 650; overflow-wrap: anywhere; }
.words span {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; color: var(--muted); overflow-wrap: anywhere;
}
.words em { display: block; margin-block-start: 4px; color: var(--ink); font-style: normal; font-weight: 600; }
.teaser .avatar { margin: 6px 0 0 6px; inline-size: 32px; block-size: 32px; }
[dir='rtl'] .teaser .avatar { margin: 6px 6px 0 0; }
.teaser .avatar .icon { inline-size: 18px; block-size: 18px; }
.teaser .round { inline-size: 36px; block-size: 36px; }
.panel {
  bottom: 92px; inline-size: 400px; max-inline-size: calc(100vw - 40px);
  block-size: 640px; max-block-size: calc(100vh - 112px); max-block-size: calc(100dvh - 112px); border-radius: var(--radius);
}
.panel:has(.brief) { block-size: 380px; }
.panel[hidden] { display: none; }
@media ${smallScreen} {
  .launcher { bottom: 16px; right: 16px; }
  .left .launcher { right: auto; left: 16px; }
  .teaser, .panel { bottom: 86px; right: 12px; }
  .left .teaser, .left .panel { right: auto; left: 12px; }
  .panel { inline-size: calc(100vw - 24px); max-inline-size: none; max-block-size: min(480px, 100dvh - 100px); }
  .root .panel.covers {
    inset: var(--area-top, 0) 0 auto; inline-size: 100%; max-block-size: none; block-size: 100vh; block-size: var(--area-height, 100dvh);
    border: 0; border-radius: 0; box-shadow: none;
  }
  .covers header { touch-action: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .launcher { animation: pop .3s cubic-bezier(.2, .9, .3, 1.3); }
  .panel { transition: block-size .25s ease-out; }
  .panel, .teaser { animation: lift .22s cubic-bezier(.2, .8, .3, 1); transform-origin: bottom right; }
  .left .panel, .left .teaser { transform-origin: bottom left; }
  .panel.covers { animation-name: rise; }
}
@keyframes pop { from { opacity: 0; transform: scale(.6); } }
@keyframes lift { from { opacity: 0; transform: translateY(12px) scale(.97); } }
`;
