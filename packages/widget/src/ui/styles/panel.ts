/** The frame of a conversation: header, transcript, footer. In a low window, transcript and footer scroll together. */
export const panelCss = `
.panel {
  display: flex; flex-direction: column; overflow: hidden;
  background: var(--surface); color: var(--text); border: 1px solid transparent;
}
.panel:focus-visible { outline: none; }
header {
  position: relative; flex: none; display: flex; align-items: center; gap: 12px;
  min-block-size: 64px; padding: 10px 12px 10px 16px; border-block-end: 1px solid var(--line); background: var(--tint);
}
[dir='rtl'] header { padding: 10px 16px 10px 12px; }
.titles { flex: 1; min-inline-size: 0; }
.titles p {
  color: var(--muted); font-size: .8667em; line-height: 1.35; overflow-wrap: anywhere; text-align: left; unicode-bidi: plaintext;
}
header h1, header h2 {
  font-weight: 650; font-size: 1.0667em; line-height: 1.3; overflow-wrap: anywhere;
  text-align: left; unicode-bidi: plaintext;
}
[dir='rtl'] .titles > * { text-align: right; }
.test { flex: none; padding: 2px 10px; border: 1px dashed; border-radius: 99px; font-size: .8667em; }
.avatar {
  display: grid; place-items: center; flex: none; inline-size: 38px; block-size: 38px;
  border-radius: min(50%, var(--radius)); background: var(--fill); color: var(--onFill);
}
div.avatar.logo { padding: 2px; border-radius: min(var(--radius), 10px); background: #fff; }
.logo canvas { inline-size: 100%; block-size: 100%; min-block-size: 0; object-fit: contain; }
.progress { position: absolute; inset-inline: 0; inset-block-end: -2px; block-size: 3px; background: transparent; }
.progress div {
  block-size: 100%; background: var(--ink); border-start-end-radius: 3px; border-end-end-radius: 3px;
}
.strip {
  flex: none; display: flex; align-items: center; justify-content: space-between; gap: 12px;
  padding: 2px 6px 2px 16px; background: var(--soft); font-size: .9333em;
}
[dir='rtl'] .strip { padding: 2px 16px 2px 6px; }
.strip .plain { color: var(--ink); font-weight: 600; }
.body { flex: 1; min-block-size: 0; display: flex; flex-direction: column; }
.scroller {
  flex: 1 1 0; min-block-size: 120px; display: flex; flex-direction: column-reverse;
  overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
}
.scroller:focus-visible { outline-offset: -3px; }
footer {
  flex: 0 1 auto; min-block-size: 0; overflow-y: auto; overscroll-behavior: contain;
  padding: 12px 16px 16px; border-block-start: 1px solid var(--line);
  padding-block-end: max(16px, env(safe-area-inset-bottom));
}
footer:empty { display: none; }
.notice {
  display: flex; flex-direction: column; align-items: center; gap: 6px; margin-block: auto; padding: 32px 24px; text-align: center;
}
.mark {
  display: grid; place-items: center; inline-size: 64px; block-size: 64px; margin-block-end: 12px;
  border-radius: 50%; background: var(--tint); color: var(--ink);
}
.mark .icon { inline-size: 2em; block-size: 2em; }
.notice .title { font-size: 1.2em; font-weight: 650; line-height: 1.35; overflow-wrap: anywhere; }
.notice .text { max-inline-size: 34ch; color: var(--muted); text-wrap: balance; }
.notice .ending { margin-block-start: 8px; white-space: pre-line; overflow-wrap: anywhere; color: var(--text); }
.notice a.ending { padding-block: 6px; color: var(--ink); font-weight: 600; text-decoration: underline; text-underline-offset: 3px; }
footer .notice .ending { grid-column: 2; margin-block-start: 2px; max-inline-size: none; }
footer .notice {
  display: grid; grid-template-columns: auto 1fr; column-gap: 12px; padding: 4px 0; margin: 0; text-align: start; align-items: center;
}
footer .notice + .primary { margin-block-start: 12px; }
footer .mark { inline-size: 40px; block-size: 40px; margin: 0; grid-row: span 2; }
footer .mark .icon { inline-size: 1.4em; block-size: 1.4em; }
footer .notice .title { font-size: 1em; align-self: end; }
footer .notice .title:last-child { grid-row: span 2; align-self: center; }
footer .notice .text { max-inline-size: none; font-size: .9333em; align-self: start; }
@media (max-height: 480px) {
  .body { display: block; overflow-y: auto; }
  .scroller { overflow: visible; min-block-size: 0; }
  footer { overflow: visible; }
  header { min-block-size: 52px; padding-block: 4px; }
}
@media (prefers-reduced-motion: no-preference) {
  .progress div { transition: inline-size .4s; }
}
@media (forced-colors: active) {
  .progress div { background: Highlight; forced-color-adjust: none; }
  .avatar, .mark { border: 1px solid; }
}
`;
