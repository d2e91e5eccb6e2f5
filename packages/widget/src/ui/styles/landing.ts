/** The conversation as a page of its own: a card if there is room, else the whole window. */
export const landingCss = `
.page {
  position: fixed; inset: 0; display: grid; place-items: center; padding: 32px;
  background: var(--soft); background: light-dark(#eef0f5, #12141a);
}
.panel {
  inline-size: 100%; max-inline-size: 640px; block-size: 100%; max-block-size: 640px;
  border-radius: calc(var(--radius) * 1.25); box-shadow: var(--shadow);
}
.page .entries { padding: 24px; }
.page header, .page footer { padding-inline: 24px; }
.page footer { padding-block: 16px 20px; padding-block-end: max(20px, env(safe-area-inset-bottom)); }
.facts { display: grid; gap: 2px; color: var(--muted); font-size: .9333em; line-height: 1.4; overflow-wrap: anywhere; }
.facts:not(:empty) { margin-block-end: 12px; }
.facts a { color: inherit; }
@media (min-height: 481px) {
  .panel:has(.facts) header { flex: 1 1 0; flex-direction: column; justify-content: center; border: 0; }
  .panel:has(.facts) .titles { flex: none; max-inline-size: 100%; }
  .panel:has(.facts) .titles > * { text-align: center; }
  .panel:has(.facts) header h1 { font-size: 1.5em; }
  .panel:has(.facts) header .avatar { inline-size: 72px; block-size: 72px; }
  .panel:has(.facts) header .icon { inline-size: 36px; block-size: 36px; }
  .panel:has(.facts) :is(.body, .scroller) { flex: 0 1 auto; min-block-size: 0; }
  .panel:has(.facts) footer { flex: none; border: 0; }
}
@media (max-width: 700px), (max-height: 600px) {
  .page { padding: 0; }
  .page .panel { block-size: 100%; max-inline-size: none; max-block-size: none; border: 0; border-radius: 0; box-shadow: none; }
  .page .entries { padding: 20px 16px; }
  .page header, .page footer { padding-inline: 16px; }
}
`;
