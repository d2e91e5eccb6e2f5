/**
 * Colours, fonts and the parts of every screen. Important declarations of a shadow root override the page's, so none of
 * them affects the host element. The page sets the colour scheme.
 */
export const baseCss = `
:host {
  all: initial !important;
  display: block !important;
  color-scheme: inherit !important;
}
.root {
  --surface: #fff;
  --soft: #f1f3f7;
  --text: #1b1e25;
  --muted: #5a616e;
  --line: #e3e6ec;
  --edge: #868d9b;
  --alert: #b3261e;
  --small-radius: min(var(--radius), 12px);
  --shadow: 0 1px 3px rgb(15 18 30 / .1), 0 12px 40px rgb(15 18 30 / .2);
  color: var(--text);
  font: 400 .9375em/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif;
  text-align: start;
  -webkit-text-size-adjust: 100%;
}
@supports (color: light-dark(red, red)) {
  .root {
    --surface: light-dark(#fff, #1c1f26);
    --soft: light-dark(#f1f3f7, #2b303a);
    --text: light-dark(#1b1e25, #f1f3f6);
    --muted: light-dark(#5a616e, #b0b7c3);
    --line: light-dark(#e3e6ec, #363c47);
    --edge: light-dark(#868d9b, #7f8897);
    --alert: light-dark(#b3261e, #ffb0a8);
  }
}
*, ::before, ::after { box-sizing: border-box; }
h1, h2, p { margin: 0; font: inherit; }
button, input, textarea { margin: 0; font: inherit; color: inherit; }
button { cursor: pointer; border: 0; background: none; padding: 0; touch-action: manipulation; }
button[aria-disabled='true'] { cursor: default; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.hidden {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.icon {
  display: block; inline-size: 1.5em; block-size: 1.5em; flex: none;
  fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round;
}
[dir='rtl'] .turns { transform: scaleX(-1); transform-origin: center; }
.primary {
  min-block-size: 44px; padding: 8px 20px; border: 1px solid transparent; border-radius: var(--small-radius);
  background: var(--fill); color: var(--onFill); font-weight: 600;
}
.reference { display: block; color: var(--muted); font-size: .8667em; overflow-wrap: anywhere; user-select: all; }
.wide { inline-size: 100%; }
.plain {
  min-block-size: 44px; padding: 8px 14px; border-radius: var(--small-radius); color: var(--muted); font-weight: 500;
}
.round {
  display: grid; place-items: center; flex: none;
  inline-size: 40px; block-size: 40px; border-radius: 50%; color: var(--muted);
}
.round .icon { inline-size: 1.35em; block-size: 1.35em; }
@media (hover: hover) {
  .primary:not([aria-disabled='true']):hover { filter: brightness(1.08); }
  .plain:hover, .round:hover { background: var(--soft); color: var(--text); }
}
@media (prefers-reduced-motion: no-preference) {
  button, .face, .text-field { transition: background-color .15s, border-color .15s, box-shadow .15s, filter .15s, transform .15s; }
  .primary:active, .launcher:active { transform: scale(.97); }
}
`;
