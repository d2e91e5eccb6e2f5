/** Bubbles, times and typing dots. */
export const transcriptCss = `
.entries {
  display: flex; flex-direction: column; align-items: flex-start; gap: 4px;
  margin-block-end: auto; padding: 20px 16px;
}
.entry { max-inline-size: 85%; display: flex; flex-direction: column; align-items: flex-start; }
.entry.customer { align-self: flex-end; align-items: flex-end; }
.entry.last { margin-block-end: 12px; }
.entry.last:last-child { margin-block-end: 0; }
.bubble {
  --round: min(var(--radius), 18px);
  padding: 9px 14px; border: 1px solid transparent; border-radius: var(--round);
  background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere;
}
.bot.last .bubble { border-end-start-radius: min(var(--round), 5px); }
.customer .bubble { background: var(--fill); color: var(--onFill); }
.customer.last .bubble { border-end-end-radius: min(var(--round), 5px); }
.bubble a { color: inherit; font-weight: 500; text-decoration: underline; text-underline-offset: 2px; border-radius: 2px; }
time { margin-block-start: 4px; padding-inline: 4px; color: var(--muted); font-size: .8em; line-height: 1.4; }
.typing .bubble { display: flex; gap: 5px; align-items: center; min-block-size: 42px; border-end-start-radius: min(var(--round), 5px); }
.typing i { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--muted); }
@media (prefers-reduced-motion: no-preference) {
  .entry { animation: rise .25s ease-out both; }
  .typing i { animation: beat 1.2s infinite ease-in-out; }
  .typing i:nth-child(2) { animation-delay: .15s; }
  .typing i:nth-child(3) { animation-delay: .3s; }
}
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }
@keyframes beat { 0%, 60%, 100% { opacity: .35; } 30% { opacity: 1; transform: translateY(-3px); } }
@media (forced-colors: active) {
  .typing i { background: CanvasText; forced-color-adjust: none; }
}
`;
